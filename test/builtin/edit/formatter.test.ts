import { expect, it, onTestFinished } from 'vitest'
import { createFormatter } from '../../../src/builtin/edit/formatter.ts'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { createProgramRunner } from '../../../src/process/program-runner.ts'
import { createToolbox, path } from '../toolbox.ts'
import { hash } from './changes.ts'

/** Opens the tools with a formatter for `.txt`. */
async function openFormatting(...command: readonly string[]) {
  const format = createFormatter({
    formatters: [{ extension: '.txt', command }],
    programs: createProgramRunner({ clock: systemClock, projectFolders: [] }),
    cwd: '/',
    env: { PATH: path },
    except: [],
  })
  const toolbox = await createToolbox({ PATH: path }, { format })
  onTestFinished(() => toolbox.close())
  return toolbox
}

it('formats what was written, tells the model what it changed, and lets it go on editing', async () => {
  const toolbox = await openFormatting('tr', 'a-z', 'A-Z')
  expect(await toolbox.call('write', { path: 'a.txt', content: 'one\nTWO\n' })).toEqual({
    isError: false,
    text: [
      'created a.txt (2 lines, 8 bytes)',
      'tr then formatted it:',
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -1,2 +1,2 @@',
      '-one',
      '+ONE',
      ' TWO',
    ].join('\n'),
    details: {
      path: 'a.txt',
      diff: '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+ONE\n+TWO\n',
      after: hash('ONE\nTWO\n'),
    },
    outputs: [],
  })
  expect(await toolbox.get('a.txt')).toBe('ONE\nTWO\n')
  const edited = await toolbox.call('edit', { path: 'a.txt', old_text: 'TWO', new_text: 'THREE' })
  expect(edited.text).toBe('changed a.txt')
  expect(await toolbox.get('a.txt')).toBe('ONE\nTHREE\n')
})

it('gets the path of the file, and files with other endings are left as they are', async () => {
  const toolbox = await openFormatting('sh', '-c', 'echo "$0"', '{file}')
  await toolbox.call('write', { path: 'a.txt', content: 'x' })
  expect(await toolbox.get('a.txt')).toBe(`${toolbox.cwd}/a.txt\n`)
  await toolbox.call('write', { path: 'a.md', content: 'x' })
  expect(await toolbox.get('a.md')).toBe('x')
})

it.each([
  [
    'fails',
    ['sh', '-c', 'echo half; echo "line 3 is wrong" >&2; exit 2'],
    'sh did not format it: line 3 is wrong',
  ],
  ['prints nothing', ['true'], 'true did not format it: it printed nothing'],
  ['is not installed', ['no-such-formatter'], 'no-such-formatter did not format it: it is not installed'],
])('one that %s changes nothing, and is named', async (_, command, note) => {
  const toolbox = await openFormatting(...command)
  expect(await toolbox.call('write', { path: 'a.txt', content: 'x\n' })).toMatchObject({
    isError: false,
    text: `created a.txt (1 lines, 2 bytes)\n${note}`,
  })
  expect(await toolbox.get('a.txt')).toBe('x\n')
})

it('does not run before a change is judged', async () => {
  const toolbox = await openFormatting('tr', 'a-z', 'A-Z')
  const [write] = toolbox.executor.tools().filter(({ name }) => name === 'write')
  const context = {
    callId: 'c',
    signal: new AbortController().signal,
    actor: { id: 'agent_a', kind: 'agent', displayName: 'A', capabilities: [] },
  } as const
  expect(await write?.preview?.({ path: 'a.txt', content: 'one\n' }, context)).toContain('+one')
})
