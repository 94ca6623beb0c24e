import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'

/** Sequences of seven and eight bits that set a title, clear the screen, move back, or reverse text. */
const evil =
  'a\u001b]0;t\u0007b\u001b[2Jc\u009b2Jd\u009d0;x\u009ce\rf\bg\u202eh\u{e0041}i\u001bPq\u001b\\j\u001b_x\u001b\\k'
/** Lines of plain text on a terminal: no controls except tabs and line ends, no direction marks, no tags. */
const plain = /^(?:[^\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\t|\r*\n)*$/u

/** A world in a folder with a hostile name and branch. */
async function hostile() {
  const world = await openWorld()
  const folder = join(world.cwd, `x${evil}`)
  await mkdir(join(folder, '.git'), { recursive: true })
  await writeFile(join(folder, '.git/HEAD'), 'ref: refs/heads/b\u202e\u009b2J\n')
  /** Returns what lines of sh write to the terminal. */
  const show = async (...lines: readonly string[]) => {
    const env = { ...world.env, FOLDER: folder, EVIL: evil }
    const script = ['cd "$FOLDER"', ...lines].join('\n')
    const screen = openScreen({ ...world, env }, script, { columns: 200, rows: 50 })
    await screen.ended
    return screen.raw()
  }
  return { world, show }
}

it.each([
  ['as text', 'text', ''],
  ['as JSON', 'stream-json', '--json'],
])('text of a model, a file or a folder does not control the terminal, %s', async (_, format, json) => {
  const { world, show } = await hostile()
  world.server.reply(use(['bash', { command: `printf '${evil}'` }], ['read', { path: evil }]), say(evil))
  const raw = await show(
    `pipe --permission-mode bypass -o ${format} "$EVIL"`,
    `pipe sessions ${json}`,
    `pipe sessions show ${json} $(pipe sessions | cut -c1-36)`,
    `pipe audit show ${json}`,
    `pipe audit verify ${json}`,
    `pipe permissions check ${json} --command "$EVIL"`,
    `pipe undo --list ${json}`,
    'pipe trust; pipe trust list; pipe -f "$EVIL" x; pipe -C "$EVIL" x; echo all',
  )
  expect(raw).toMatch(/\nall\r\n$/)
  expect(raw).toMatch(plain)
})

it('an error that quotes the server is one line and does not control the terminal', async () => {
  const { world, show } = await hostile()
  const refusal = { status: 400, body: JSON.stringify({ error: { message: `${evil}\npipe: forged` } }) }
  world.server.reply(refusal, refusal)
  const raw = await show('pipe go', 'pipe --json go')
  expect(raw).toContain('pipe: forged')
  expect(raw).not.toMatch(/^pipe: forged/m)
  expect(raw).toMatch(plain)
})
