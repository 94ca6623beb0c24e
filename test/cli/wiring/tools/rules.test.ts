import { expect, it } from 'vitest'
import { forbiddenPaths } from '../../../../src/cli/wiring/tools/rules.ts'
import { type RuleText, readRule } from '../../../../src/permission/rules/rule.ts'

function read(rule: Pick<RuleText, 'text'> & Partial<RuleText>) {
  return readRule({ behavior: 'deny', source: 'user', ...rule }, { cwd: '/w', home: '/home/u' })
}

/** Returns the paths that a rule of the user's, or of a project's settings in `/p`, forbids to read by name. */
function placesOf(text: string, more: Partial<RuleText> = {}): readonly string[] {
  return forbiddenPaths([read({ text, ...more })], 'read')
}

it.each([
  ['Read(~/.ssh/**)', '/home/u/.ssh'],
  ['Read(~/.ssh)', '/home/u/.ssh'],
  ['Read($HOME/.aws/)', '/home/u/.aws'],
  ['Grep(//etc/keys/a b.pem)', '/etc/keys/a b.pem'],
  ['Read(//a\\*b/**)', '/a*b'],
  ['Read(.env)', '/w/.env'],
  ['Read(./secrets/**)', '/w/secrets'],
  ['Read(**/secrets/**)', '/w/secrets'],
])('%s names a path that can be hidden', (text, path) => {
  expect(placesOf(text)).toEqual([path])
})

it('resolves a project’s path from its folder', () => {
  expect(placesOf('Read(/keys/**)', { folder: '/p' })).toEqual(['/p/keys'])
})

it.each(['Read', 'Read(*)', 'Read(//**)', 'Read(~/.*/id)', 'Read(*.pem)', 'Edit(~/.ssh/**)', 'Bash(cat:*)'])(
  '%s names no such path',
  (text) => {
    expect(placesOf(text)).toEqual([])
  },
)

it.each(['allow', 'ask'] as const)('hides nothing for %s rules', (behavior) => {
  expect(placesOf('Read(~/.ssh)', { behavior })).toEqual([])
})

it('a deny rule on editing names a path that can be protected', () => {
  const rules = ['Edit(src.txt)', 'Write(gen/**)', 'Edit(*.lock)', 'Edit', 'Read(.env)'].map((text) =>
    read({ text }),
  )
  expect(forbiddenPaths(rules, 'edit')).toEqual(['/w/src.txt', '/w/gen'])
})
