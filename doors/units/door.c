// The door units: amounts in other units of the same kind.
#include "units.h" // generated from wit/units.wit into bindings/

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
  const char *name;
  const char *kind;
  double scale;  // of the kind's base unit
  double offset; // in base units, for temperatures
};

static const struct unit units[] = {
    {"mm", "length", 1e-3, 0},        {"cm", "length", 1e-2, 0},
    {"m", "length", 1, 0},            {"km", "length", 1e3, 0},
    {"in", "length", 0.0254, 0},      {"ft", "length", 0.3048, 0},
    {"yd", "length", 0.9144, 0},      {"mi", "length", 1609.344, 0},
    {"mg", "mass", 1e-6, 0},          {"g", "mass", 1e-3, 0},
    {"kg", "mass", 1, 0},             {"t", "mass", 1e3, 0},
    {"oz", "mass", 0.028349523125, 0}, {"lb", "mass", 0.45359237, 0},
    {"ml", "volume", 1e-3, 0},        {"l", "volume", 1, 0},
    {"tsp", "volume", 0.00492892159375, 0}, {"tbsp", "volume", 0.01478676478125, 0},
    {"cup", "volume", 0.2365882365, 0}, {"gal", "volume", 3.785411784, 0},
    {"s", "time", 1, 0},              {"min", "time", 60, 0},
    {"h", "time", 3600, 0},           {"d", "time", 86400, 0},
    {"K", "temperature", 1, 0},       {"C", "temperature", 1, 273.15},
    {"F", "temperature", 5.0 / 9.0, 459.67 * 5.0 / 9.0},
};

static const struct unit *find(const units_string_t *name) {
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (strlen(units[i].name) == name->len && memcmp(units[i].name, name->ptr, name->len) == 0)
      return &units[i];
  }
  return NULL;
}

static bool unknown(const units_string_t *name, units_string_t *err) {
  char text[160];
  int shown = name->len > 40 ? 40 : (int)name->len;
  snprintf(text, sizeof text, "expected a unit such as km, lb or F, found `%.*s`", shown, (const char *)name->ptr);
  units_string_dup(err, text);
  return false;
}

bool exports_units_convert(double amount, units_string_t *from_unit, units_string_t *to_unit, double *ret,
                           units_string_t *err) {
  const struct unit *from = find(from_unit), *to = find(to_unit);
  if (!from) return unknown(from_unit, err);
  if (!to) return unknown(to_unit, err);
  if (strcmp(from->kind, to->kind) != 0) {
    char text[160];
    snprintf(text, sizeof text, "expected two units of one kind, found %s (%s) and %s (%s)", from->name, from->kind,
             to->name, to->kind);
    units_string_dup(err, text);
    return false;
  }
  if (from == to) {
    *ret = amount;
    return true;
  }
  *ret = (amount * from->scale + from->offset - to->offset) / to->scale;
  return true;
}
