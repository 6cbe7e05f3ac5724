/* Files for tests: a folder that goes away again, graphs compared whole. */
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include "support/support.h"

/* A program of tests, listed as TEST(function), ..., with a fresh folder. */
#define TEST_PROGRAM_IN_FOLDER(...)                                                                \
    int main(void) {                                                                               \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return cmocka_run_group_tests(tests, test_folder_make, test_folder_remove);                \
    }

/* cmocka group set-up and tear-down: a fresh folder for the program. */
int test_folder_make(void **state);
int test_folder_remove(void **state);
/* "FOLDER/name", in one of eight static buffers. */
const char *test_path(const char *name);
/* Writes a file in the folder and returns its path. */
const char *test_put(const char *name, const void *bytes, size_t size);
/* The whole file, malloc'd; NULL when it is not there. */
char *test_read(const char *path, size_t *size);
/* Runs a shell command in the folder; false when it fails, for example for want of a program. */
bool test_shell(const char *command);

/* Fails unless both have the same n, adjacency, weights of the same type, symmetry and ids. */
void assert_same_graph(const char *what, const fr_graph *a, const fr_graph *b);

#endif
