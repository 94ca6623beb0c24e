import { expect, it } from 'vitest'
import { acceptableName } from '../../../src/http/dialect/tool-name.ts'

it.each([
  ['mcp__files-2__read', 'mcp__files-2__read'],
  ['functions.glob', 'functions_glob'],
  ['functions.glob<|x|>', 'functions_glob_x_'],
  ['x'.repeat(70), 'x'.repeat(64)],
])('sends the name %s as %s', (name, sent) => {
  expect(acceptableName(name)).toBe(sent)
})
