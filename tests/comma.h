/* tests/comma.h - a locale whose decimal point is a comma: one of the system's, or one made
   for the test. */
#ifndef AGN_COMMA_H
#define AGN_COMMA_H

#include "tests/tap.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

/* its name, once it is set; NULL: there is none and none can be made */
static const char *set_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
                                        "es_ES.UTF-8", "it_IT.UTF-8", "de_DE",
                                        "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]))
            return names[i];
    static char folder[] = "/tmp/agnesi-locale-XXXXXX";
    char command[200];
    if (!mkdtemp(folder))
        return NULL;
    snprintf(command, sizeof command,
             "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1", folder, folder);
    const char *found = NULL;
    if (system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
        setlocale(LC_ALL, "de_DE.UTF-8"))
        found = "de_DE.UTF-8, made for this test";
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        diag("%s is left behind", folder);
    return found;
}

#endif
