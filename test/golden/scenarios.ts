import type { ScriptBlock } from '../../src/replay/script.ts'

/** A conversation with a scripted model and real tools. */
export interface Scenario {
  readonly name: string
  readonly flags: readonly string[]
  /** File contents by path, oldest first. */
  readonly files: Readonly<Record<string, string>>
  readonly prompt: string
  /** The model's replies: a list of blocks for each round. */
  readonly rounds: readonly (readonly ScriptBlock[])[]
}

const say = (text: string): ScriptBlock => ({ type: 'text', text })
const use = (name: string, args: Readonly<Record<string, string | number>>): ScriptBlock => ({
  type: 'tool_call',
  name,
  arguments: args,
})

const sum = `/** The sum of some numbers. */
export function sum(numbers) {
  let total = 0
  for (let i = 0; i <= numbers.length; i++) total += numbers[i]
  return total
}
`

const sumTest = `import { sum } from '../src/sum.js'

const total = sum([1, 2, 3])
if (total !== 6) {
  console.error('expected 6, got ' + total)
  process.exit(1)
}
console.log('ok')
`

export const scenarios: readonly Scenario[] = [
  {
    name: 'fix-a-bug',
    flags: ['--yolo'],
    files: { 'src/sum.js': sum, 'test/sum.js': sumTest, 'package.json': '{ "type": "module" }\n' },
    prompt: 'the test fails, fix it',
    rounds: [
      [say('I will run the test.'), use('bash', { command: 'node test/sum.js' })],
      [{ type: 'thinking', thinking: 'NaN: it reads past the end.' }, use('read', { path: 'src/sum.js' })],
      [
        say('The loop goes one too far.'),
        use('edit', { path: 'src/sum.js', old_text: 'i <= numbers.length', new_text: 'i < numbers.length' }),
        use('bash', { command: 'node test/sum.js' }),
      ],
      [say('Fixed src/sum.js:4: the loop read one past the end. The test passes.')],
    ],
  },
  {
    name: 'search-and-recover',
    flags: [],
    files: {
      'lib/a.js': "export const port = 8080 // TODO: from the settings\nexport const host = 'localhost'\n",
      'lib/b.js': "import { port } from './a.js'\nexport const url = 'http://localhost:' + port\n",
      'build/out.js': 'port = 8080\n',
      '.gitignore': 'build/\n',
    },
    prompt: 'where does the port come from?',
    rounds: [
      [
        say('I will look for it in several places at once.'),
        use('grep', { pattern: 'port =', path: '.' }),
        use('glob', { pattern: '**/*.js' }),
        use('read', { path: 'lib/c.js' }),
        use('grep', { pattern: 'PORT', path: 'lib' }),
      ],
      [use('read', { path: 'lib/a.js', limit: 1 }), use('read', { path: 'lib/b.js' })],
      [say('From lib/a.js:1, where it is a constant; lib/b.js:2 uses it.')],
    ],
  },
  {
    name: 'denied-write',
    flags: ['--permission-mode', 'accept-edits'],
    files: { 'notes.txt': 'one\ntwo\n' },
    prompt: 'remove notes.txt and tell me what was in it',
    rounds: [
      [use('read', { path: 'notes.txt' }), use('bash', { command: 'rm notes.txt' })],
      [
        say('I may not run commands, but I may write.'),
        use('write', { path: 'new/list.md', content: '- one\n- two\n' }),
        use('edit', { path: 'notes.txt', old_text: 'three', new_text: 'four' }),
      ],
      [
        say(
          'notes.txt held "one" and "two"; a copy is in new/list.md. I could not remove it: that needs bash.',
        ),
      ],
    ],
  },
]
