import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { CommandRunner } from '../../../src/machine/running-command.ts'
import { thrown } from '../../support/thrown.ts'
import { filesIn, lines, options, sh, withWork } from '../worktree-project.ts'

describe('work that does not fit', () => {
  it.each([
    ['the same lines', 'sed -i s/two/TWO/ a.txt; echo n > new', 'sed -i s/two/zwei/ a.txt', ['a.txt']],
    ['a deleted file', 'echo more >> a.txt', 'rm a.txt', ['a.txt']],
    ['a binary file', "printf '\\0\\2' > bin", "printf '\\0\\3' > bin", ['bin']],
    ['an ignored file in the way', 'echo n > out; rm .gitignore', 'echo mine > out', ['out']],
    ['a folder in the way', 'echo n > new', 'mkdir new; echo mine > new/x.log', ['new/x.log']],
  ])('because of %s changes nothing and names it', async (_, theirs, ours, conflicts) => {
    const files = { 'a.txt': lines, bin: Buffer.from([0, 1]), '.gitignore': 'out\n*.log\n' }
    const { root, worktrees, run } = await withWork(theirs, { files })
    run(ours)
    const before = filesIn(root)
    expect(await worktrees.apply('one', options)).toEqual({
      applied: [],
      conflicts,
      ref: 'refs/pipe/elves/one',
    })
    expect(filesIn(root)).toEqual(before)
    expect(run('git rev-parse --verify -q refs/pipe/elves/one')).not.toBe('')
  })

  it('is merged once the user has made room', async () => {
    const { root, worktrees, put } = await withWork('sed -i s/two/TWO/ a.txt')
    put('a.txt', lines.replace('two', 'zwei'))
    expect((await worktrees.apply('one', options)).conflicts).toEqual(['a.txt'])
    put('a.txt', lines)
    expect((await worktrees.apply('one', options)).applied).toEqual(['a.txt'])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(lines.replace('two', 'TWO'))
  })

  it('never overwrites a file that changes while the merge runs', async () => {
    const { root, open } = await withWork('sed -i s/two/TWO/ a.txt')
    const late = lines.replace('five', 'late')
    const commands = (real: CommandRunner): CommandRunner => ({
      ...real,
      run: (line, more) => {
        if (line.args.includes('merge-tree')) writeFileSync(join(root, 'a.txt'), late)
        return real.run(line, more)
      },
    })
    const merging = open({ commands }).apply('one', options)
    expect(await merging).toMatchObject({ applied: [], conflicts: ['a.txt'] })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(late)
    expect(await open().apply('one', options)).toMatchObject({ applied: ['a.txt'], conflicts: [] })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(late.replace('two', 'TWO'))
  })
})

describe('repeating', () => {
  it('merges only what the work has got since', async () => {
    const { root, worktrees, made, put } = await withWork('sed -i s/two/TWO/ a.txt')
    await worktrees.apply('one', options)
    put('a.txt', lines)
    sh(made.cwd, 'sed -i s/five/FIVE/ a.txt')
    await made.save(options)
    expect((await worktrees.apply('one', options)).applied).toEqual(['a.txt'])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(lines.replace('five', 'FIVE'))
  })

  it('two at once apply it once', async () => {
    const { open } = await withWork('echo n > new')
    const outcomes = await Promise.all([open().apply('one', options), open().apply('one', options)])
    expect(outcomes.map(({ applied }) => applied.length).sort()).toEqual([0, 1])
  })
})

/** Fails at the git call that names this. */
function failing(name: string) {
  return (real: CommandRunner): CommandRunner => ({
    ...real,
    run: (line, more) => {
      if (line.args.includes('update-ref') && line.args.some((arg) => arg.includes(name)))
        throw new PipeError('aborted', 'interrupted')
      return real.run(line, more)
    },
  })
}

describe('an interrupted merge', () => {
  it('between two files is completed, and keeps what the user changed', async () => {
    const files = { 'a.txt': lines, gone: 'g\n' }
    const theirs = 'sed -i s/three/THREE/ a.txt; echo new > new; rm gone'
    const { root, open, run, put } = await withWork(theirs, { files })
    put('a.txt', lines.replace('one', 'eins'))
    await thrown(() => open({ commands: failing('elves-applied') }).apply('one', options))
    expect(run('git for-each-ref refs/pipe/elves-applied')).toBe('')
    const after = filesIn(root)
    // As if it had stopped after the first file.
    run('rm new; echo g > gone')
    put('other', 'o\n')
    expect((await open().apply('one', options)).applied).toEqual(['a.txt', 'gone', 'new'])
    expect(filesIn(root)).toEqual({ ...after, other: '644 "o\\n"' })
  })
})
