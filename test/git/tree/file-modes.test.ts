import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { redoTurn, undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'
import { aged, listing, never, openProject, turn } from '../project.ts'

const signal = never()

describe('undoing a turn', () => {
  it('keeps who may read a file', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { secret: 'a\n', tool: 'b\n' } })
    chmodSync(join(root, 'secret'), 0o600)
    chmodSync(join(root, 'tool'), 0o700)
    await turn(checkpoints(), 'edit', () => run('echo c >> secret; echo c >> tool'))
    await undoTurn(shadow, { signal })
    expect(listing(root)).toEqual({ secret: '600 "a\\n"', tool: '700 "b\\n"' })
  })

  it('reverts who may read a file that it changes in nothing else, and redoes that', async () => {
    const { root, run, shadow, checkpoints } = await openProject({
      files: { '*': 'a', secret: 'a', open: 'b', same: 'c', removed: 'a' },
    })
    run("chmod 600 '*' secret removed; chmod 640 same")
    const before = listing(root)
    await turn(checkpoints(), 'publish', () =>
      run(`chmod 644 '*'; chmod 644 secret; chmod 400 open; rm removed; ${aged("'*' secret open")}`),
    )
    const after = listing(root)
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['*', 'open', 'secret'] })
    expect(listing(root)).toEqual(before)
    await redoTurn(shadow, { signal })
    expect(listing(root)).toEqual(after)
    await undoTurn(shadow, { signal })
    expect(listing(root)).toEqual(before)
  })

  it('reverts a turn that changed nothing but who may read a file, unless that changed since', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { a: 'a', b: 'b' } })
    await turn(checkpoints(), 'hide', () => run(`chmod 600 a b; ${aged('a b')}`))
    run('chmod 640 b; touch b; echo >> a')
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['a'] })
    expect(listing(root)).toEqual({ a: '644 "a\\n"', b: '640 "b"' })
  })

  slowIt('restores setuid, setgid and sticky bits', async () => {
    const { root, run, shadow, checkpoints } = await openProject({
      files: { a: 'a', b: 'b', c: 'c', d: 'd' },
    })
    const before = { a: '4755 "a"', b: '2710 "b"', c: '1644 "c"', d: '644 "d"' }
    run('chmod 4755 a; chmod 2710 b; chmod 1644 c; chmod 644 d')
    expect(listing(root)).toEqual(before)
    await turn(checkpoints(), 'edit', () =>
      run('rm a b; echo x > a; echo >> c; chmod 644 c; echo >> d; chmod 6755 d'),
    )
    const after = listing(root)
    await undoTurn(shadow, { signal })
    expect(listing(root)).toEqual(before)
    await redoTurn(shadow, { signal })
    expect(listing(root)).toEqual(after)
  })

  it.runIf(process.geteuid?.() === 0)('lets no file of another user run as us', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { a: 'a', b: 'b', c: 'c' } })
    run('chown 1 a c; chgrp 1 b c; chmod 6755 a b c')
    await turn(checkpoints(), 'remove', () => run('rm a b c'))
    await undoTurn(shadow, { signal })
    expect(listing(root)).toEqual({ a: '2755 "a"', b: '4755 "b"', c: '755 "c"' })
    chownSync(shadow.path, 1, 1)
    await redoTurn(shadow, { signal })
    await undoTurn(shadow, { signal })
    expect(listing(root)).toEqual({ a: '755 "a"', b: '755 "b"', c: '755 "c"' })
  })
})
