import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../support/programs/world.ts'

const hasPrograms = ['curl', 'xz', 'tar'].every((name) => spawnSync(name, ['--version']).status === 0)

/** A release with one file for Linux on x64, served over HTTP, and a machine that is one. */
async function openRelease() {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-install-'))
  const within = (name: string) => join(folder, name)
  for (const name of ['home', 'bin', 'temp']) await mkdir(within(name))
  const put = async (name: string, text: string) => {
    await writeFile(within(name), text)
    await chmod(within(name), 0o755)
  }
  await put('pipe-linux-x64', '#!/bin/sh\necho "1.2.3 (one file)"\n')
  await put('bin/uname', '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo x86_64\n')
  await put('bin/ldd', '#!/bin/sh\necho glibc\n')
  await promisify(execFile)('tar', ['-cJf', 'pipe-linux-x64.tar.xz', 'pipe-linux-x64'], { cwd: folder })
  const archive = await readFile(within('pipe-linux-x64.tar.xz'))
  const files = new Map<string, string | Buffer>([
    ['/pipe-linux-x64.tar.xz', archive],
    ['/SHA256SUMS', `${createHash('sha256').update(archive).digest('hex')}  pipe-linux-x64.tar.xz\n`],
  ])
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url)
    response.writeHead(file === undefined ? 404 : 200).end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const env = {
    PATH: `${within('bin')}:${process.env['PATH']}`,
    HOME: within('home'),
    TMPDIR: within('temp'),
    PIPE_RELEASE: `http://127.0.0.1:${address.port}`,
  }
  const install = (more: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)('sh', [join(root, 'scripts/install.sh')], { env: { ...env, ...more } }).then(
      ({ stdout }) => stdout,
      ({ stderr }: { readonly stderr: string }) => stderr,
    )
  return { install, files, put, within, env, temp: () => readdir(within('temp')) }
}

describe.skipIf(!hasPrograms)('install.sh', () => {
  it('puts the checked program into ~/.local/bin, in place of an older one, and says so', async () => {
    const { install, within, env, temp } = await openRelease()
    const folder = within('home/.local/bin')
    const said = `installed ${folder}/pipe, version 1.2.3 (one file)\n`
    expect(await install()).toBe(`${said}add it to your PATH: export PATH="${folder}:$PATH"\n`)
    expect(await install({ PATH: `${folder}:${env.PATH}` })).toBe(said)
    expect(await readdir(folder)).toEqual(['pipe'])
    expect(await temp()).toEqual([])
  })

  it('installs nothing whose checksum is another, or missing', async () => {
    const { install, files, within, temp } = await openRelease()
    const sums = String(files.get('/SHA256SUMS'))
    files.set(
      '/SHA256SUMS',
      sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    )
    expect(await install()).toContain(
      'pipe-linux-x64.tar.xz is not what SHA256SUMS says: nothing was installed',
    )
    files.set('/SHA256SUMS', sums.replace('x64', 'arm64'))
    expect(await install()).toBe('install.sh: SHA256SUMS does not name pipe-linux-x64.tar.xz\n')
    files.delete('/SHA256SUMS')
    expect(await install()).toMatch(/install\.sh: cannot fetch http:\S+\/SHA256SUMS\n$/)
    expect(await readdir(within('home'))).toEqual([])
    expect(await temp()).toEqual([])
  })

  it.each([
    ['bin/uname', 'echo SunOS'],
    ['bin/ldd', 'echo "musl libc (x86_64)" >&2; exit 1'],
  ])('names npm on another machine: %s: %s', async (program, line) => {
    const { install, put } = await openRelease()
    await put(program, `#!/bin/sh\n${line}\n`)
    expect(await install()).toBe(
      'install.sh: there is no one file for this machine. With Node.js 20.19 or newer: npm install -g pipe-agent\n',
    )
  })
})
