// The type matrix in C: what comes in is given back, and so owned by who reads it.
#include "matrix.h"

#define SAME(type, name) type exports_test_matrix_echo_##name(type v) { return v; }
#define MOVED(type, name) void exports_test_matrix_echo_##name(type *v, type *ret) { *ret = *v; }

SAME(bool, truth)
SAME(int8_t, tiny)
SAME(uint8_t, byte)
SAME(int16_t, short)
SAME(uint16_t, word)
SAME(int32_t, signed)
SAME(uint32_t, unsigned)
SAME(int64_t, long)
SAME(uint64_t, longest)
SAME(float, single)
SAME(double, double)
SAME(uint32_t, letter)
SAME(exports_test_matrix_echo_level_t, grade)
SAME(exports_test_matrix_echo_rights_t, may)

MOVED(matrix_string_t, text)
MOVED(matrix_list_u8_t, bytes)
MOVED(matrix_list_string_t, texts)
MOVED(matrix_list_tuple2_string_u32_t, pairs)
MOVED(exports_test_matrix_echo_point_t, place)
MOVED(exports_test_matrix_echo_shape_t, figure)
MOVED(exports_test_matrix_echo_tuple2_result_u32_string_bool_t, came)

bool exports_test_matrix_echo_perhaps(uint32_t *maybe_v, uint32_t *ret) {
  if (maybe_v) *ret = *maybe_v;
  return maybe_v != 0;
}

bool exports_test_matrix_echo_doubt(matrix_option_string_t *maybe_v, matrix_option_string_t *ret) {
  if (maybe_v) *ret = *maybe_v;
  return maybe_v != 0;
}

bool exports_test_matrix_echo_fails(matrix_string_t *v, exports_test_matrix_echo_list_point_t *ret, matrix_string_t *err) {
  (void)ret;
  *err = *v;
  return false;
}
