# filled by this folder
