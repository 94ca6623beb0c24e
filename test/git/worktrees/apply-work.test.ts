import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { filesIn, lines, options, withWork } from '../worktree-project.ts'

describe("work is merged into the user's files", () => {
  it('with uncommitted changes of both sides, and neither index nor HEAD change', async () => {
    const { root, worktrees, run, put } = await withWork('sed -i s/five/FIVE/ a.txt; echo n > new')
    put('a.txt', lines.replace('one', 'ONE'))
    put('mine', 'm\n')
    run('git add a.txt')
    const index = readFileSync(join(root, '.git', 'index'))
    expect(await worktrees.apply('one', options)).toEqual({
      applied: ['a.txt', 'new'],
      conflicts: [],
      ref: 'refs/pipe/elves/one',
    })
    expect(filesIn(root)).toMatchObject({
      'a.txt': JSON.stringify(lines.replace('one', 'ONE').replace('five', 'FIVE')).replace(/^/, '644 '),
      mine: '644 "m\\n"',
      new: '644 "n\\n"',
    })
    expect(readFileSync(join(root, '.git', 'index'))).toEqual(index)
    expect(run('git log --format=%s; git status --porcelain')).toBe('one\nMM a.txt\n?? mine\n?? new\n')
  })

  it('also after the user committed, with links, modes, deleted, binary and CRLF files', async () => {
    const files = {
      'a.txt': lines,
      crlf: 'a\r\nb\r\n',
      bin: Buffer.from([0, 1]),
      gone: 'g',
      run: '#!',
      dir: 'd',
      'f/g': 'g',
    }
    const script = `sed -i 's/b/B/' crlf; printf '\\0\\2' > bin; rm gone; chmod +x run; ln -s a.txt link; rm dir
      mkdir dir; echo x > dir/x; rm -r f; echo f > f`
    const { root, worktrees, run, made } = await withWork(script, { files })
    run('echo c > c; git add c; git commit -qm two')
    const { applied } = await worktrees.apply('one', options)
    expect([...applied].sort()).toEqual(['bin', 'crlf', 'dir', 'dir/x', 'f', 'f/g', 'gone', 'link', 'run'])
    expect(filesIn(root)).toEqual({ ...filesIn(made.cwd), '.git': undefined, c: '644 "c\\n"' })
  })

  it('follows a file that the user has renamed', async () => {
    const { root, worktrees, run } = await withWork('sed -i s/five/FIVE/ a.txt')
    run('mv a.txt b.txt')
    expect(await worktrees.apply('one', options)).toMatchObject({ applied: ['b.txt'], conflicts: [] })
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe(lines.replace('five', 'FIVE'))
  })

  slowIt('seen from the working folder', async () => {
    const { root, worktrees } = await withWork('echo A > a; echo B > ../b', {
      files: { 'sub/a': 'a\n', b: 'b\n' },
      cwd: 'sub',
    })
    expect((await worktrees.apply('one', options)).applied).toEqual(['../b', 'a'])
    expect(filesIn(root)).toEqual({ b: '644 "B\\n"', 'sub/a': '644 "A\\n"' })
  })

  slowIt('keeps who may read a file', async () => {
    const { root, worktrees } = await withWork('sed -i s/five/FIVE/ a.txt')
    chmodSync(join(root, 'a.txt'), 0o600)
    await worktrees.apply('one', options)
    expect(filesIn(root)['a.txt']).toMatch(/^600 .*FIVE/)
  })
})
quickDescribe('repeating', () => {
  it('changes nothing, even if the user took the change back', async () => {
    const { root, worktrees, open, put } = await withWork('sed -i s/two/TWO/ a.txt')
    await worktrees.apply('one', options)
    put('a.txt', lines)
    expect(await open().apply('one', options)).toMatchObject({ applied: [], conflicts: [] })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(lines)
  })
})
