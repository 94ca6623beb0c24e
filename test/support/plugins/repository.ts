import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { folderWith } from '../folders/folder.ts'

const env = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
}

/** A git repository of files, removed after the test. */
export interface Repository {
  readonly folder: string
  readonly url: string
  git(...args: readonly string[]): string
  /** Writes files and commits everything. Returns the commit. */
  commit(files: Readonly<Record<string, string | Uint8Array>>): string
}

export async function repositoryWith(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Repository> {
  const folder = await folderWith({})
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  git('init', '--quiet', '--initial-branch=main')
  const repository: Repository = {
    folder,
    url: `file://${folder}`,
    git,
    commit: (changed) => {
      for (const [path, content] of Object.entries(changed)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), content)
      }
      git('add', '--all', '--force')
      git('commit', '--quiet', '--allow-empty', '-m', 'Change')
      return git('rev-parse', 'HEAD')
    },
  }
  repository.commit(files)
  return repository
}
