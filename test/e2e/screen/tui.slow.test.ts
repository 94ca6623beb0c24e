import { describe, expect, it } from 'vitest'
import { openWorld } from '../../support/programs/world.ts'
import { play } from '../../support/terminals/screen.ts'
import { counted, medium, text, wipes } from './tui-setup.ts'

describe('a long answer', () => {
  it('survives 200 resizes, down to one cell (TERM-241)', async () => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text(counted(300))], pace_ms: 3 }])
    screen.type('count\r')
    await screen.until(/line \d+\./)
    for (let i = 0; i < 200; i++) {
      screen.resize({ columns: 1 + ((i * 37) % 120), rows: 1 + ((i * 13) % 40) })
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    screen.resize(medium)
    // A turn of half a minute ends with a row that tells its time.
    await screen.until(/line 299\.\n\n(?: {2}✓ .*\n\n)?─+\n› Ask [^\n]*\n─+\nask · script/)
    expect(wipes.filter((one) => screen.raw().includes(one))).toEqual([])
    expect(screen.text().match(/›/g)).toEqual(['›'])
  })
})

describe('a window that is resized while text streams', () => {
  it.each([1, 2])('loses no paragraph, and keeps their order (seed %i)', async (seed) => {
    const world = await openWorld()
    const paragraphs = Array.from({ length: 120 }, (_, i) => `Part <${i}> ${'word '.repeat(i % 30)}end.\n\n`)
    const screen = await play(world, medium, [{ blocks: [text(paragraphs.join(''))], pace_ms: 2 }])
    let state = seed
    const below = (limit: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * limit)
    }
    screen.type('count\r')
    await screen.until(/<1>/)
    for (let i = 0; i < 200; i++) {
      screen.resize({ columns: 30 + below(90), rows: 8 + below(32) })
      await new Promise((resolve) => setImmediate(resolve))
      if (i % 50 === 0) await screen.until(/^›/m)
    }
    screen.resize(medium)
    await screen.until(/<119>[\s\S]*› Ask [^\n]*\n─+\nask · script/)
    const shown = screen.history().replaceAll('\n', '').match(/<\d+>/g) ?? []
    expect([...new Set(shown)]).toEqual(paragraphs.map((_, i) => `<${i}>`))
  })
})
