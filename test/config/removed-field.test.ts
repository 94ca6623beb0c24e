import { expect, it } from 'vitest'
import { withoutField } from '../../src/config/removed-field.ts'

it.each([
  ['{"a": 1}', '{}'],
  ['{"a": 1, "b": 2}', '{"b": 2}'],
  ['{"b": 2, "a": 1}', '{"b": 2 }'],
  ['{\n  // b\n  "b": 2, // two\n  "a": 1, // one\n}\n', '{\n  // b\n  "b": 2, // two\n  // one\n}\n'],
  ['{\n  "b": 2, // two\n  "a": 1\n}\n', '{\n  "b": 2 // two\n}\n'],
  ['{\n  "b": 2, /* , */\n  "a": 1,\n  "c": 3\n}\n', '{\n  "b": 2, /* , */\n  "c": 3\n}\n'],
  ['{\n  "b": 2 // two,\n  , "a": {\n    "c": 1 // gone\n  }\n}', '{\n  "b": 2 // two,\n   \n}'],
  ['{ // all\n  "a": 1, "b": 2 }', '{ // all\n  "b": 2 }'],
  ['{"b": 2}', '{"b": 2}'],
  ['', ''],
])('the field a is removed from %j', (text, expected) => {
  expect(withoutField(text, ['a'])).toBe(expected)
})
