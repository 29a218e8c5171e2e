#include "door.h" // generated from wit/door.wit into bindings/

#include <stdlib.h>
#include <string.h>

bool exports_door_greet(door_string_t *name, door_string_t *ret, door_string_t *err) {
  if (name->len == 0) {
    door_string_dup(err, "expected a name");
    return false;
  }
  static const char hello[] = "Hello, ";
  ret->len = strlen(hello) + name->len + 1;
  ret->ptr = malloc(ret->len);
  memcpy(ret->ptr, hello, strlen(hello));
  memcpy(ret->ptr + strlen(hello), name->ptr, name->len);
  ret->ptr[ret->len - 1] = '!';
  return true;
}
