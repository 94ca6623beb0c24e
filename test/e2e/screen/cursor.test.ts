import { describe, expect, it } from 'vitest'
import { openWorld } from '../../support/programs/world.ts'
import { play, type ScreenRun } from '../../support/terminals/screen.ts'

const japanese = 'export LC_ALL=ja_JP.UTF-8; exec pipe'

/** Waits until the cursor stands behind this text in the prompt. */
async function untilBehind(screen: ScreenRun, text: string, columns: number): Promise<void> {
  await expect
    .poll(() => {
      const [row, column] = screen.cursor()
      return [screen.text().split('\n')[row], column]
    })
    .toEqual([expect.stringMatching(text === '' ? /^› (Ask|Add) / : new RegExp(`^› ${text}$`)), columns])
}

describe("the terminal's cursor", () => {
  it('stands where the user writes in a locale with input methods, and no row is lost around it', async () => {
    const world = await openWorld()
    const rounds = ['Hello.', 'Goodbye.'].map((text) => ({ blocks: [{ type: 'text', text }] }))
    const screen = await play(world, { columns: 80, rows: 24 }, rounds, japanese)
    screen.type('日本')
    await untilBehind(screen, '日本', 6)
    screen.type('\u001b[D')
    await untilBehind(screen, '日本', 4)
    screen.type('\r')
    await screen.until(/Hello\.\n\n─+\n›/)
    await untilBehind(screen, '', 2)
    screen.type('/theme\r')
    await screen.until(/Colours/)
    screen.type('\u001b')
    await screen.until(/Hello\.\n\n─+\n› Ask [^\n]*\n─/)
    await untilBehind(screen, '', 2)
    screen.resize({ columns: 60, rows: 14 })
    await expect.poll(() => screen.text()).toMatch(/^› Ask [^\n]*\nask /m)
    await untilBehind(screen, '', 2)
    screen.type('more\r')
    await screen.until(/Goodbye\.\n\n›/)
    const rows = screen.history().split('\n')
    const once = ['▌ 日本', '  Hello.', '▌ more', '  Goodbye.']
    expect(rows.map((row) => row.trimEnd()).filter((row) => once.includes(row))).toEqual(once)
    expect(rows[0]).toMatch(/^pipe /)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
  })

  it('comes to the prompt with the first wide character in any locale, and stays there during a turn', async () => {
    const world = await openWorld()
    const rounds = ['sh -c "until [ -e go ]; do sleep 0.1; done"'].map((command) => ({
      blocks: [{ type: 'tool_call', name: 'bash', arguments: { command } }],
    }))
    const answer = { blocks: [{ type: 'text', text: 'Hello.' }] }
    const line = 'exec pipe --permission-mode bypass'
    const screen = await play(world, { columns: 80, rows: 24 }, [...rounds, answer], line)
    screen.type('ab')
    await screen.until(/^› ab$/m)
    expect(screen.raw().lastIndexOf('\u001b[?25h')).toBe(-1)
    screen.type('日')
    await untilBehind(screen, 'ab日', 6)
    screen.type('\r')
    await screen.until(/bash +sh -c/)
    await untilBehind(screen, '', 2)
    screen.type('日本')
    await untilBehind(screen, '日本', 6)
    await world.put('go', '')
    await screen.until(/Hello\./)
    await untilBehind(screen, '日本', 6)
    const rows = screen.history().split('\n')
    const once = ['▌ ab日', '  Hello.']
    expect(rows.map((row) => row.trimEnd()).filter((row) => once.includes(row))).toEqual(once)
  })
})
