#!/usr/bin/env bash
# @cfworker/json-schema 4.1.6: the error of a schema that is `false` names the place of the value as that of the keyword.
# JSON Schema's output format has two places: `instanceLocation` in the value and `keywordLocation` in the schema. With
# `additionalProperties: false`, or a property whose schema is `false`, both are the place in the value. So a program
# that finds the part of a schema by the pointer finds nothing, or another part, and one that groups errors by the
# keyword that caused them cannot tell whose cause this one is.
# Fails if the pinned version names the place in the schema.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund @cfworker/json-schema@4.1.6 >/dev/null 2>&1

cat >check.mjs <<'JS'
import { Validator } from '@cfworker/json-schema'

const places = (schema) =>
  new Validator(schema, '2020-12', false)
    .validate({ age: 1 })
    .errors.filter(({ keyword }) => keyword === 'false')
    .map(({ instanceLocation, keywordLocation }) => `${instanceLocation} by ${keywordLocation}`)
console.log([...places({ additionalProperties: false }), ...places({ properties: { age: false } })].join(', '))
JS

seen=$(node check.mjs)
echo "@cfworker/json-schema 4.1.6 on node $(node --version): $seen"
[ "$seen" = '#/age by #/age, #/age by #/age' ] || { echo 'the place in the schema is named in another way now'; exit 1; }
echo 'as described: the place of the keyword is that of the value'
