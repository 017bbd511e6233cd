/* audio/music/notes.c - names of notes and keys (Young 1939; MIDI 1.0), by the line of fifths
   ... Bb F C G D A E B F# ... (Temperley 2000): place 0 is C, seven places are a sharp. */
#include "audio/audio.h"

#include <agnesi/audio_music.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ACCIDENTALS = 8, MOST_OCTAVE = 99999999 };

static const char line_of_fifths[] = "FCGDAEB";
static const struct sign {
    const char *text;
    int by;
} signs[] = {{"#", 1},
             {"b", -1},
             {"!", -1},
             {"n", 0},
             {"\xe2\x99\xaf", 1},     /* U+266F */
             {"\xe2\x99\xad", -1},    /* U+266D */
             {"\xe2\x99\xae", 0},     /* U+266E */
             {"\xf0\x9d\x84\xaa", 2}, /* U+1D12A */
             {"\xf0\x9d\x84\xab", -2},
             /* U+1D12B */};
enum { SIGNS = sizeof signs / sizeof *signs };

/* scales: places on the line of their tonics in the major key of the same notes, and which of its
   degrees they are */
static const struct scale {
    const char *name[3];
    int place, degree;
} scales[] = {{{"maj", "major", "major"}, 0, 0},        {{"min", "minor", "minor"}, 3, 5},
              {{"ion", "ion", "ionian"}, 0, 0},         {{"dor", "dor", "dorian"}, 2, 1},
              {{"phr", "phryg", "phrygian"}, 4, 2},     {{"lyd", "lyd", "lydian"}, -1, 3},
              {{"mix", "mixolyd", "mixolydian"}, 1, 4}, {{"aeo", "aeol", "aeolian"}, 3, 5},
              {{"loc", "locr", "locrian"}, 5, 6}};
enum { SCALES = sizeof scales / sizeof *scales };

static int floor_divide(int a, int b)
{
    return a / b - (a % b < 0);
}

/* the place on the line of a letter and its signs; what follows them */
static bool read_place(const char *text, int *place, const char **rest)
{
    char letter = *text >= 'a' && *text <= 'g' ? (char)(*text - 'a' + 'A') : *text;
    const char *found = letter ? strchr(line_of_fifths, letter) : NULL;
    if (!found)
        return false;
    *place = (int)(found - line_of_fifths) - 1;
    text++;
    for (int count = 0; count <= MOST_ACCIDENTALS; count++) {
        int k = 0;
        while (k < SIGNS && strncmp(text, signs[k].text, strlen(signs[k].text)))
            k++;
        if (k == SIGNS) {
            *rest = text;
            return true;
        }
        *place += 7 * signs[k].by;
        text += strlen(signs[k].text);
    }
    return false;
}

/* semitones above C, signs included: below 0 or above 11 where they lead there */
static int pitch_of(int place)
{
    static const int natural[] = {5, 0, 7, 2, 9, 4, 11};
    int sharps = floor_divide(place + 1, 7);
    return natural[place + 1 - 7 * sharps] + sharps;
}

/* the place of the tonic and its scale */
static agn_status read_key(int *place, const struct scale **scale, const char *op, const char *key)
{
    const char *rest = NULL;
    if (read_place(key, place, &rest) && *rest == ':')
        for (int k = 0; k < SCALES; k++)
            for (int j = 0; j < 3; j++)
                if (!strcmp(rest + 1, scales[k].name[j])) {
                    *scale = scales + k;
                    return AGN_OK;
                }
    return agni_fail(AGN_EARG,
                     "%s: key \"%.40s\" is no tonic and scale, as C:maj, Bb:min or F#:dorian", op,
                     key);
}

agn_status agn_audio_note_to_midi(double *midi, const char *note)
{
    static const char op[] = "audio_note_to_midi";
    AGNI_NEED(op, midi);
    AGNI_NEED(op, note);
    int place = 0;
    const char *rest = NULL;
    long octave = 0, cents = 0;
    bool good = read_place(note, &place, &rest);
    if (good && *rest) { /* an octave, cents; cents alone have no place, as C+10 is octave 10 */
        char *end = NULL;
        good = (*rest >= '0' && *rest <= '9') ||
               ((*rest == '-' || *rest == '+') && rest[1] >= '0' && rest[1] <= '9');
        octave = good ? strtol(rest, &end, 10) : 0;
        rest = good ? end : rest;
        if (good && (*rest == '+' || *rest == '-') && rest[1] >= '0' && rest[1] <= '9') {
            cents = strtol(rest, &end, 10);
            rest = end;
        }
        good = good && !*rest && labs(octave) <= MOST_OCTAVE && labs(cents) <= MOST_OCTAVE;
    }
    if (!good)
        return agni_fail(AGN_EARG,
                         "%s: \"%.40s\" is no letter with signs, octave and cents, as Bb3 or A4+25",
                         op, note);
    *midi = 12 * ((double)octave + 1) + pitch_of(place) + (double)cents / 100;
    return AGN_OK;
}

agn_status agn_audio_midi_to_note(char *note, int64_t room, double midi, const char *key,
                                  bool cents)
{
    static const char op[] = "audio_midi_to_note";
    AGNI_NEED(op, note);
    const struct scale *scale = scales;
    int place = 0;
    agn_status st = key ? read_key(&place, &scale, op, key) : AGN_OK;
    if (!st && !(fabs(midi) <= 1e9))
        st = agni_fail(AGN_EARG, "%s: note %g; it is between -1e9 and 1e9", op, midi);
    if (st)
        return st;
    /* twelve places in a row: those of the major key, and more on the side that it is on */
    int q = place - scale->place, first = q >= 0 ? (q > 5 ? q - 6 : -1) : (q < -5 ? q - 1 : -6);
    double nearest = rint(midi), pitch = nearest - 12 * floor(nearest / 12);
    int at = first;
    while (pitch_of(at) - 12 * floor_divide(pitch_of(at), 12) != (int)pitch)
        at++;
    int sharps = floor_divide(at + 1, 7), used = 0;
    char text[64];
    text[used++] = line_of_fifths[at + 1 - 7 * sharps];
    for (int k = 0; k < abs(sharps); k++)
        text[used++] = sharps > 0 ? '#' : 'b';
    used += snprintf(text + used, sizeof text - (size_t)used, "%.0f",
                     (nearest - pitch_of(at)) / 12 - 1);
    if (cents)
        used += snprintf(text + used, sizeof text - (size_t)used, "%+03.0f",
                         rint(100 * (midi - nearest)) + 0.0); /* -0 + 0 is 0: "+00" */
    if (room <= used)
        return agni_fail(AGN_EARG, "%s: %s takes %d bytes, there are %lld", op, text, used + 1,
                         (long long)room);
    memcpy(note, text, (size_t)used + 1);
    return AGN_OK;
}

agn_status agn_audio_key_to_degrees(int32_t *degrees, const char *key)
{
    static const char op[] = "audio_key_to_degrees";
    static const int major[] = {0, 2, 4, 5, 7, 9, 11};
    AGNI_NEED(op, degrees);
    AGNI_NEED(op, key);
    const struct scale *scale = NULL;
    int place = 0;
    agn_status st = read_key(&place, &scale, op, key);
    for (int k = 0; !st && k < 7; k++) {
        int step = major[(scale->degree + k) % 7] - major[scale->degree],
            pitch = pitch_of(place) + step;
        degrees[k] = pitch - 12 * floor_divide(pitch, 12);
    }
    return st;
}
