import { expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { CommandRunner } from '../../../src/machine/running-command.ts'
import { thrown } from '../../support/thrown.ts'
import { filesIn, lines, options, withWork } from '../worktree-project.ts'

const upheaval = 'sed -i s/five/FIVE/ a.txt; echo new > new; rm gone; ln -s a.txt link'

/** Whether every file is as it was at one of these times. */
function isMixed(now: object, ...times: readonly Readonly<Record<string, string>>[]): boolean {
  return Object.entries(now).every(([path, file]) => times.some((time) => time[path] === file))
}

it('an interrupted merge leaves every file old or new at any git call, and the next one completes it', async () => {
  const after = {
    'a.txt': `644 ${JSON.stringify(lines.replace('five', 'FIVE').replace('three', 'DREI'))}`,
    link: '-> a.txt',
    new: '644 "new\\n"',
  }
  for (let call = 1, isDone = false; !isDone; call++) {
    const { root, open, put } = await withWork(upheaval, { files: { 'a.txt': lines, gone: 'g\n' } })
    put('a.txt', lines.replace('three', 'DREI'))
    const before = filesIn(root)
    let calls = 0
    const commands = (real: CommandRunner): CommandRunner => ({
      ...real,
      run: (line, more) => {
        if (++calls === call) throw new PipeError('aborted', 'interrupted')
        return real.run(line, more)
      },
    })
    const stopped = await thrown(() => open({ commands }).apply('one', options)).catch(() => undefined)
    isDone = stopped === undefined
    expect([call, isMixed(filesIn(root), before, after)]).toEqual([call, true])
    const { conflicts } = await open().apply('one', options)
    expect([call, conflicts, filesIn(root)]).toEqual([call, [], after])
    if (isDone) expect(call).toBeGreaterThan(20)
  }
})
