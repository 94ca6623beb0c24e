import { describe, expect, it } from 'vitest'
import { findDirectories, ownFolders } from '../../src/config/directories.ts'
import { thrown } from '../support/thrown.ts'

describe('the folders of pipe', () => {
  it.each([
    [
      'follow XDG below the home folder',
      {},
      '/home/ada/.config/pipe',
      '/home/ada/.local/state/pipe/sessions',
    ],
    [
      'follow XDG if it is set',
      { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' },
      '/c/pipe',
      '/s/pipe/sessions',
    ],
    ['are all in PIPE_HOME if that is set', { PIPE_HOME: '/p', XDG_CONFIG_HOME: '/c' }, '/p', '/p/sessions'],
    [
      'treat an empty variable as unset',
      { PIPE_HOME: '', XDG_CONFIG_HOME: '', XDG_STATE_HOME: undefined },
      '/home/ada/.config/pipe',
      '/home/ada/.local/state/pipe/sessions',
    ],
    [
      'ignore relative XDG folders, as XDG requires',
      { XDG_CONFIG_HOME: 'there', XDG_STATE_HOME: './here' },
      '/home/ada/.config/pipe',
      '/home/ada/.local/state/pipe/sessions',
    ],
  ])('%s', (_, env, config, sessions) => {
    expect(findDirectories(env, '/home/ada')).toEqual({
      config,
      sessions,
      audit: sessions.replace(/sessions$/, 'audit'),
      recall: sessions.replace(/sessions$/, 'recall'),
      vectors: sessions.replace(/sessions$/, 'vectors'),
      tasks: sessions.replace(/sessions$/, 'tasks'),
      memories: sessions.replace(/sessions$/, 'memories'),
      history: sessions.replace(/sessions$/, 'history'),
      plugins: sessions.replace(/sessions$/, 'plugins'),
      servers: sessions.replace(/sessions$/, 'servers'),
    })
  })

  it('are in one or two folders', () => {
    const folders = (env: Readonly<Record<string, string>>) => ownFolders(findDirectories(env, '/home/ada'))
    expect(folders({})).toEqual(['/home/ada/.config/pipe', '/home/ada/.local/state/pipe'])
    expect(folders({ PIPE_HOME: '/mine' })).toEqual(['/mine'])
  })

  it('reject a relative PIPE_HOME', async () => {
    expect(await thrown(() => findDirectories({ PIPE_HOME: 'there/here' }, '/home/ada'))).toMatchObject({
      code: 'config',
      message: 'PIPE_HOME must be an absolute path, not there/here',
    })
  })
})
