import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../servers/free-port.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))

/** Whether Debian's PgBouncer is installed. */
export const hasPgBouncer = program !== undefined

export interface PoolerChoice {
  readonly mode: 'session' | 'transaction' | 'statement'
  /** Connections to the server. Default: 20. */
  readonly poolSize?: number
  /** Further lines of its configuration. */
  readonly settings?: readonly string[]
}

/** Starts PgBouncer before a database, without passwords. Ended after the test. */
export async function startPgBouncer(databaseUrl: string, choice: PoolerChoice): Promise<string> {
  if (program === undefined) throw new Error('PgBouncer is not installed')
  const url = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'pipe-pgbouncer-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${url.hostname} port=${url.port || 5432} user=${url.username}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any`,
      `pool_mode = ${choice.mode}\ndefault_pool_size = ${choice.poolSize ?? 20}`,
      ...(choice.settings ?? []),
      '',
    ].join('\n'),
  )
  const isRoot = process.getuid?.() === 0
  // It does not run as root.
  const [command = '', ...args] = [
    ...(isRoot ? ['setpriv', '--reuid=65534', '--clear-groups'] : []),
    program,
    file,
  ]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('close', resolve))
    if (child.kill('SIGKILL')) await ended
    await rm(folder, { recursive: true, force: true })
  })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('process up')) resolve()
    })
    child.once('close', () => reject(new Error(said)))
  })
  url.port = String(port)
  return url.href
}
