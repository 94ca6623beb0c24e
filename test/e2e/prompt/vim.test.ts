import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt, type ScreenRun } from '../../support/terminals/screen.ts'
import { medium } from '../screen/tui-setup.ts'

const bar = '\u001b[6 q'
const block = '\u001b[2 q'
const usual = '\u001b[0 q'
const esc = '\u001b'
// biome-ignore lint/suspicious/noControlCharactersInRegex: forms are control sequences
const forms = /\u001b\[\d q/g
const rounds = [{ blocks: [{ type: 'text', text: 'Read.' }] }]

/** Opens a prompt with vim keys and a scripted model. */
async function openVim(rounds: readonly object[], line?: string): Promise<readonly [ScreenRun, World]> {
  const world = await openWorld()
  await world.put('script.json', JSON.stringify({ version: 1, rounds }))
  await world.configure({ model: 'replay/script.json', tui: { editor: 'vim' } })
  return [await openPrompt(world, medium, line), world]
}

describe('vim keys', () => {
  it('edit and send the draft, with the mode in the status line and in the form of the cursor', async () => {
    const [screen] = await openVim(rounds)
    await screen.until(/^INSERT · ask/m)
    screen.type('fix teh bug')
    screen.type(esc)
    await screen.until(/^NORMAL · ask/m)
    screen.type('0wcwthe')
    await screen.until(/^› fix the bug$[\s\S]*^INSERT/m)
    screen.type(esc)
    await screen.until(/^NORMAL · ask/m)
    screen.type('2d')
    await screen.until(/^NORMAL 2d · ask/m)
    screen.type(`${esc}`)
    await screen.until(/^NORMAL · ask/m)
    screen.type('wviwU')
    await screen.until(/^› fix the BUG$/m)
    screen.type('\r')
    await screen.until(/▌ fix the BUG\n[\s\S]*Read\.\n\n─+\n›[\s\S]*^INSERT/m)
    screen.type('/vim\r')
    await screen.until(/the prompt has its usual keys again/)
    await screen.until(/^ask · /m)
    screen.type('/vim\r')
    await screen.until(/^INSERT · ask/m)
    screen.type(`${esc}`)
    await screen.until(/^NORMAL · ask/m)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    expect(screen.raw().match(forms)).toEqual([bar, block, bar, block, bar, usual, bar, block, usual])
  })

  it('stop a turn with Esc in the normal mode only, and give the cursor back when a signal ends pipe', async () => {
    const waits = [
      { blocks: [{ type: 'tool_call', name: 'bash', arguments: { command: 'sleep 1000' } }] },
      ...rounds,
    ]
    const line = "sh -c 'echo $$ > pid; exec pipe --permission-mode bypass'"
    const [screen, world] = await openVim(waits, line)
    screen.type('go\r')
    await screen.until(/bash +sleep 1000[\s\S]*Esc Esc stops/)
    screen.type(esc)
    await screen.until(/ Esc stops · NORMAL/)
    screen.type(esc)
    await screen.until(/interrupted[\s\S]*^NORMAL · /m)
    process.kill(Number(readFileSync(join(world.cwd, 'pid'), 'utf8')), 'SIGTERM')
    await screen.ended
    expect(screen.raw().match(forms)).toEqual([bar, block, usual])
  })
})
