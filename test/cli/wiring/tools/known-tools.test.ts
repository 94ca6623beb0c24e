import { expect, it } from 'vitest'
import { changesFiles, findToolName, knownTools } from '../../../../src/cli/wiring/tools/known-tools.ts'

it.each([
  ['read', 'read'],
  ['Bash', 'bash'],
  ['MultiEdit', 'edit'],
  ['webfetch', 'fetch'],
  ['TodoWrite', 'todo'],
  ['KillShell', 'process'],
  ['task', 'task'],
  // Other agents start an agent with the tool of this name.
  ['Task', 'elf'],
  ['mcp__files__read', 'mcp__files__read'],
  ['mcp__files read', undefined],
  ['nosuch', undefined],
])('%s names the tool %s', (word, name) => {
  expect(findToolName(word)).toBe(name)
})

it('no two tools have a name in common', () => {
  const names = knownTools.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  expect(names.length).toBe(new Set(names).size)
})

it('tells which tools may change files', () => {
  const writing = knownTools.filter(({ name }) => changesFiles(name)).map(({ name }) => name)
  expect(writing).toEqual(['write', 'edit', 'rename', 'bash', 'process'])
})
