import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, root, type World } from '../../support/programs/world.ts'

/** The replies of a model in an example, and the files before it. */
interface Scene {
  readonly replies: readonly FakeReply[]
  readonly files?: Readonly<Record<string, string>>
  /** Lines of bash that run before the example. */
  readonly before?: string
}

const right = 'export const total = (numbers) => numbers.reduce((sum, next) => sum + next, 0)\n'
const wrong = right.replace('0)', '1)')
const mended = use(
  ['read', { path: 'src/total.js' }],
  ['edit', { path: 'src/total.js', old_text: 'next, 1', new_text: 'next, 0' }],
)
const test = `import assert from 'node:assert'
import test from 'node:test'
import { total } from './total.js'
test('adds up', () => assert.equal(total([1, 2]), 3))
`
const changed: Scene['before'] = `echo '${wrong.trim()} // TODO' > src/total.js`

const scenes: Readonly<Record<string, Scene>> = {
  'Review a change': {
    before: changed,
    replies: [say('src/total.js:1 starts at 1, so every sum is one too large.')],
  },
  'Write a commit message': {
    before: `${changed} && git add .`,
    replies: [say('Here it is:\n\n```\nStart sums at zero\n```')],
  },
  'Make a test pass': {
    files: { 'src/total.test.js': test },
    before: 'git add . && git commit -qm "Test the sum"',
    replies: [mended, say('The sum started at 1. It starts at 0 now.')],
  },
  'Extract data from a text': {
    files: { 'letter.txt': 'I turned 36 on Friday. Ada' },
    replies: [say('{"name": "Ada", "age": 36}')],
  },
  'Guard a commit': {
    files: { 'settings.json': '{"password": "…"}\n' },
    before: 'git add .',
    replies: [say('{"answer": false, "reason": "settings.json holds a password in line 1."}')],
  },
  'Ask the same question of every row': {
    files: { 'mails.csv': 'from,subject\na,Bill 1\nb,Bill 1\nc,Bill 1\n' },
    replies: [say('invoice'), say('spam'), say('invoice')],
  },
  'Look at a patch before you apply it': { replies: [mended, say('Done.')] },
  'Let a second model criticise the first': {
    replies: [say('1. Rewrite it.'), say('It never says what is slow today: measure first.')],
  },
  'Check the logs every night': {
    files: { 'app.log': '03:10 timeout\n03:11 timeout\n' },
    replies: [
      say('Two timeouts of the database at 03:10.'),
      say('Nothing new: the timeouts did not come back.'),
    ],
  },
  'Keep a prompt as a template': { before: changed, replies: [say('total.js: starts at 1.')] },
  'See what it cost': {
    replies: [say('There is one TODO.'), say('The one in src/total.js.')],
  },
  'Work on many files at once': {
    files: { 'src/total.test.js': test },
    replies: [say('Tests that a sum is right.'), say('Adds up a list of numbers.')],
  },
}

/** An example of the page: its heading, the lines of its first block, and what they print. */
interface Example {
  readonly heading: string
  readonly lines: string
  readonly printed: string
}

const examples: readonly Example[] = readFileSync(join(root, 'docs/examples.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((part) => ({
    heading: part.slice(0, part.indexOf('\n')),
    lines: block(part, 'sh'),
    printed: block(part, 'text'),
  }))

function block(text: string, language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1] ?? ''
}

/** Makes the project that all examples work in: one file, committed. */
async function openProject(scene: Scene): Promise<World> {
  const world = await openWorld()
  await world.put('package.json', '{"type": "module"}\n')
  await world.put('src/total.js', wrong)
  const first = 'git init -q . && git config user.name x && git config user.email y'
  const committed = `${first} && git add . && git commit -qm one`
  expectRun(await world.shell(committed), { stdout: '' })
  for (const [path, content] of Object.entries(scene.files ?? {})) await world.put(path, content)
  if (scene.before !== undefined) expectRun(await world.shell(scene.before), { stdout: '' })
  world.server.reply(...scene.replies)
  return world
}

describe('docs/examples.md', () => {
  it('has the twelve examples that are tried here', () => {
    expect(examples.map(({ heading }) => heading)).toEqual(Object.keys(scenes))
    expect(examples.filter(({ lines, printed }) => lines === '' || printed === '')).toEqual([])
  })

  it.for(examples)('$heading', async ({ heading, lines, printed }, { skip }) => {
    skip(lines.includes('jq ') && spawnSync('jq', ['--version']).status !== 0, 'jq is not installed')
    const scene = scenes[heading]
    if (scene === undefined) throw new Error(`no scene for "${heading}"`)
    const world = await openProject(scene)
    const run = await world.shell(`set -eo pipefail\n${lines}`)
    expectRun(run, { stdout: printed, stderr: expect.any(String) })
    expect(world.server.requests.length).toBeGreaterThan(0)
  })
})
