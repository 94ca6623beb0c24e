import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt, play, type ScreenSize } from '../../support/terminals/screen.ts'
import { openTypedAhead } from './tui-setup.ts'

const medium: ScreenSize = { columns: 80, rows: 24 }
const rounds = [{ blocks: [{ type: 'text', text: 'Read.' }] }]
const line = "sh -c 'echo $$ > pid; exec pipe'"

/** Returns the files of drafts below the state folder of a world. */
async function keptDrafts(home: string): Promise<readonly string[]> {
  const names = await readdir(home, { recursive: true })
  return names.filter((name) => name.endsWith('draft.json'))
}

describe('a draft', () => {
  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'comes back after %s, once, with its pastes',
    async (signal) => {
      const world = await openWorld()
      const first = await play(world, medium, rounds, line)
      first.type('look at ')
      first.type(`\u001b[200~${'row\r'.repeat(9)}\u001b[201~`)
      await first.until(/› look at \[pasted 9 lines · 36 bytes\]/)
      if (signal === 'SIGKILL') await expect.poll(() => keptDrafts(world.home)).toHaveLength(1)
      process.kill(Number(readFileSync(join(world.cwd, 'pid'), 'utf8')), signal)
      await first.ended
      const second = await openPrompt(world, medium)
      await second.until(/› look at \[pasted 9 lines · 36 bytes\]/)
      second.type('\r')
      await second.until(/▌ look at row\n▌ row[\s\S]*Read\.\n\n─+\n›/)
      await expect.poll(() => keptDrafts(world.home)).toEqual([])
      second.type('\u0004')
      expect(await second.ended).toBe(0)
      const third = await openPrompt(world, medium)
      await third.until(/^› Ask /m)
      expect(third.text()).toMatch(/^› Ask /m)
    },
  )

  it('stays in the prompt while a line goes out that was typed before the program reads', async () => {
    const world = await openWorld()
    const first = await play(world, medium, rounds, line)
    first.type('rm the lot')
    await expect.poll(() => keptDrafts(world.home)).toHaveLength(1)
    process.kill(Number(readFileSync(join(world.cwd, 'pid'), 'utf8')), 'SIGKILL')
    await first.ended
    const second = await openTypedAhead(world, 'hello\r')
    await second.until(/^▌ hello\n\n {2}Read\.[\s\S]*^› rm the lot$/m)
  })

  it('stays with the process that is writing it', async () => {
    const world = await openWorld()
    const first = await play(world, medium, rounds)
    first.type('mine')
    await expect.poll(() => keptDrafts(world.home)).toHaveLength(1)
    const second = await openPrompt(world, medium)
    second.type('yours')
    await second.until(/^› yours$/m)
    await first.until(/^› mine$/m)
  })
})
