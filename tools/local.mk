# bin_PROGRAMS += %D%/agnesi
