A matrix                                                                integer.
             3             1             1             1
isa                        3             3             4             0
(10I8)          (16I5)          (16I5)              
       1       3       4       5
    1    3    2    3
    7   -3    2    9
