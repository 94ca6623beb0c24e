import { describe, expect, it } from 'vitest'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

describe('a wrong command line ends with 2 before any request', () => {
  it.each([
    [['--modle', 'x', 'hi'], 'unknown flag --modle; did you mean --model?'],
    [['--frobnicate', 'hi'], 'unknown flag --frobnicate (see pipe --help'],
    [['-o', 'xml', 'hi'], '-o takes text, json, stream-json, pipe, not "xml"'],
    [
      ['--permission-mode', 'maybe', 'hi'],
      '--permission-mode takes default, accept-edits, plan, auto, bypass, dont-ask, not "maybe"',
    ],
    [['--max-turns', '0', 'hi'], '--max-turns takes a whole number above 0, not "0"'],
    [['--temperature', 'warm', 'hi'], '--temperature takes a number from 0 to 2, not "warm"'],
    [['-m', 'gpt', 'hi'], '"gpt" matches several models: openai/gpt-'],
    [['-m', 'xyzzy', 'hi'], 'unknown model "xyzzy"; use provider/model, such as openai/gpt-5'],
    [['--max-cost', 'little', 'hi'], '--max-cost takes US dollars, above 0, not "little"'],
    [['--max-time', 'soon', 'hi'], '--max-time takes a duration such as 90s, 5m or 1h30m, not "soon"'],
    [['--stdin-first-byte', 'never', 'hi'], '--stdin-first-byte takes a duration such as 90s'],
    [['--stdin-idle', '0', 'hi'], '--stdin-idle takes a duration such as 90s, 5m or 1h30m, not "0"'],
    [['-m'], '-m needs a value: PROVIDER/MODEL'],
    [
      ['-p', '--model', '--quiet'],
      '--model needs a value; write one that begins with a dash as --model=--quiet',
    ],
    [['-C', 'nowhere', 'hi'], '-C nowhere: there is no such folder'],
    [['elf'], 'pipe elf is not part of this version. To send the words as a prompt: pipe -- elf …'],
    [['recall'], 'pipe recall needs WORDS'],
    [['audit', 'the code'], 'pipe audit does not take "the code"; it takes show, list, export'],
    [['- fix the list'], '"- fix the list" begins with a dash, as flags do; to send it as a prompt: pipe --'],
    [['docter'], 'there is no command docter; did you mean pipe doctor?'],
    [['sessions', 'show'], 'pipe sessions show needs ID'],
    [[], 'nothing to do: give a prompt, as in pipe "explain this project"'],
  ])('%j', async (args, words) => {
    const { pipe, server } = await openWorld()
    expectRun(await pipe(args), { code: 2, stdout: '', stderr: complaint(words) })
    expect(server.requests).toEqual([])
  })
})
