import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { asking, end, inTerminalUi, question, run, whole } from './resumption-setup.ts'

const endings = [
  ['the terminal UI', 'pipe -c', 'y', /It is logged\.[\s\S]*›/],
  ['line mode', 'TERM=dumb pipe -c', 'y\r', /It is logged\.[\s\S]*\n>$/],
  ['a one-shot', 'pipe -p -c', 'y\r', /It is logged\./],
  ['a one-shot with a prompt', 'pipe -c "and then?"', 'y\r', /It is logged\./],
] as const
describe('a question that a killed run left', () => {
  it.each(endings)('is asked again in %s, and its call is carried out once', async (_, line, yes, over) => {
    const { world, screen } = await asking(inTerminalUi)
    end(world, 'SIGKILL')
    await screen.ended
    const again = run(world, line)
    await again.until(question)
    again.type(yes)
    await again.until(over)
    expect(readFileSync(join(world.cwd, 'log.txt'), 'utf8')).toBe('ran\n')
    // The text is on the screen before its message is in the session.
    const saved = async () => (await world.sessions()).flatMap(outline)
    await expect.poll(async () => (await saved()).filter((text) => text !== 'user: and then?')).toEqual(whole)
    const [session] = await world.sessions()
    expect(session).not.toHaveProperty('pending')
  })

  it('waits before /compact, which says so', async () => {
    const { world, screen } = await asking(inTerminalUi)
    end(world, 'SIGKILL')
    await screen.ended
    expectRun(await world.pipe(['-c', '/compact']), {
      code: 42,
      stdout: '',
      stderr: complaint('/compact waits for the open questions of the session: answer them first'),
    })
    expect((await world.sessions()).map(outline)).toEqual([whole.slice(0, 2)])
  })

  it('is over for a run that nobody watches: the model is told', async () => {
    const { world, screen } = await asking(inTerminalUi)
    end(world, 'SIGKILL')
    await screen.ended
    const { stdout } = await world.pipe(['-p', '-c'])
    expect(stdout).toBe('It is logged.\n')
    expect((await world.sessions()).map(outline)).toEqual([
      [...whole.slice(0, 2), expect.stringContaining('nobody can be asked'), whole[3]],
    ])
  })
})
