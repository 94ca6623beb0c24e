import { expect, it } from 'vitest'
import { forbiddenPaths, readRules, warnOfRules } from '../../../../src/cli/wiring/tools/rules.ts'
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

/** Returns the rule that `--disallowed-tools` makes of a word: the tool that it is about, its text, and what the user is told. */
function taken(word: string) {
  const source = { type: 'flag', name: '--disallowed-tools' } as const
  const rules = readRules([{ source, settings: { permissions: { deny: [word] } } }], {
    cwd: '/w',
    home: '/home/u',
  })
  const about = rules.map(({ tool, name, text }) => (tool === 'other' ? name : text))
  return { about, told: warnOfRules(rules, []) }
}

const whole = ['Bash', 'Read', 'Glob', 'Grep', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'WebFetch']

it.each<[string, readonly string[]]>([
  ['elf', ['Task', 'Agent']],
  ['process', ['BashOutput', 'KillShell', 'KillBash', 'TaskOutput', 'TaskStop']],
  ['todo', ['TodoWrite', 'TodoRead', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate']],
  ['ask', ['AskUserQuestion']],
  ['find_tools', ['ToolSearch']],
  ['Read(**/SKILL.md)', ['Skill']],
  ['Read(**/skills/**/pdf/SKILL.md)', ['Skill(pdf)']],
  ...whole.map((word): [string, readonly string[]] => [word, [word]]),
])('%s is taken away by each of %j', (about, words) => {
  for (const word of words) expect([word, taken(word)]).toEqual([word, { about: [about], told: [] }])
})

it.each([
  ...['LS', 'NotebookRead', 'WebSearch', 'Batch', 'BatchTool', 'SlashCommand', 'AgentOutputTool', 'LSP'],
  ...['EnterPlanMode', 'ExitPlanMode', 'exit_plan_mode', 'EnterWorktree', 'ExitWorktree', 'LS(*)'],
])('%s takes nothing away, which is no news', (word) => {
  expect(taken(word).told).toEqual([])
})

it.each(['Bsh', 'LS(src/**)', 'ReadMcpResourceTool'])(
  '%s takes nothing away, which the user is told',
  (word) => {
    const name = word.split('(')[0]
    expect(taken(word).told).toEqual([
      `--disallowed-tools: unknown tool ${name}; the rule ${word} forbids nothing`,
    ])
  },
)
