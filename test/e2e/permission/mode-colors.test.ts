import { expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { medium } from '../screen/tui-setup.ts'

/** The colours in which rules of the whole width, and this word of the status line, reached the terminal last. */
function colorsOf(raw: string, word: string): readonly (string | undefined)[] {
  const last = (drawn: string) =>
    [...raw.matchAll(new RegExp(`\\u001b\\[([\\d;]+)m${drawn}`, 'g'))].at(-1)?.[1]
  return [last('─{80}'), last(`${word}(?=\\u001b| |\\r|\\n)`)]
}

it('a mode has its colour in the rules around the prompt and in the status line', async () => {
  const world = await openWorld()
  world.server.reply(say('1. First a.\n2. Then b.'))
  const screen = await openPrompt(world, medium)
  expect(colorsOf(screen.raw(), 'ask')).toEqual(['38;5;241', '38;5;246'])
  for (const [mode, color] of [
    ['accept edits', '32'],
    ['plan', '34'],
  ] as const) {
    screen.type('\u001b[Z')
    await screen.until(new RegExp(`─+\\n${mode} `))
    await expect.poll(() => colorsOf(screen.raw(), mode)).toEqual([color, color])
  }
  screen.type('how?\r')
  await screen.until(/First a\.[\s\S]*Carry out this plan\?[\s\S]*❯ y {2}yes\n {3}e {2}yes, and accept edits/)
  screen.type('n')
  await screen.until(/─+\n›[\s\S]*plan /)
  screen.type('/mode bypass\r')
  await screen.until(/Switch to bypass mode\?[\s\S]*⚠ calls run without a question[\s\S]*❯ n {2}no/)
  screen.type('y')
  await screen.until(/Mode bypass: [\s\S]*─+\nbypass /)
  await expect.poll(() => colorsOf(screen.raw(), 'bypass')).toEqual(['31', '31'])
  screen.type('\u001b[Z')
  await screen.until(/Mode ask: pipe asks before edits and commands\.[\s\S]*─+\nask /)
})

it('the mode auto has a colour of its own', async () => {
  const world = await openWorld()
  const screen = await openPrompt(world, medium)
  screen.type('/mode auto\r')
  await screen.until(/─+\nauto /)
  await expect.poll(() => colorsOf(screen.raw(), 'auto')).toEqual(['35', '35'])
})

it.each([
  ['NO_COLOR=1', false],
  ['NO_COLOR=', true],
  ['NO_COLOR=1 FORCE_COLOR=1', true],
  ['FORCE_COLOR=0', false],
])('with %s, colours reach the terminal: %s', async (variables, isColoured) => {
  const world = await openWorld()
  const screen = await openPrompt(world, medium, `${variables} exec pipe --permission-mode accept-edits`)
  await screen.until(/─+\naccept edits /)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
  expect(/\u001b\[(?:[\d;]*;)?(?:[34][0-8]|9[0-7])(?:;[\d;]*)?m/.test(screen.raw())).toBe(isColoured)
})
