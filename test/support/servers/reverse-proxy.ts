import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { killGroup } from '../programs/program.ts'

const modules = '/usr/lib/apache2/modules'

/** Web servers as distributions ship them, in front of a server at a port: at their root, and below `/pipe/`. */
const proxies = {
  nginx: {
    program: '/usr/sbin/nginx',
    args: (config: string) => ['-c', config, '-g', 'daemon off;'],
    config: (folder: string, port: number, upstream: number) => `
      user root; pid ${folder}/pid; error_log ${folder}/log; events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
        uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
        server {
          listen 127.0.0.1:${port};
          location / { proxy_pass http://127.0.0.1:${upstream}; proxy_set_header Host $http_host; }
          location /pipe/ { proxy_pass http://127.0.0.1:${upstream}/; proxy_set_header Host $http_host; }
        }
      }`,
  },
  apache: {
    program: '/usr/sbin/apache2',
    args: (config: string) => ['-f', config, '-D', 'FOREGROUND'],
    config: (folder: string, port: number, upstream: number) => `
      ServerName localhost
      ServerRoot ${folder}
      DefaultRuntimeDir ${folder}
      PidFile ${folder}/pid
      ErrorLog ${folder}/log
      LoadModule mpm_event_module ${modules}/mod_mpm_event.so
      LoadModule authz_core_module ${modules}/mod_authz_core.so
      LoadModule proxy_module ${modules}/mod_proxy.so
      LoadModule proxy_http_module ${modules}/mod_proxy_http.so
      Listen 127.0.0.1:${port}
      ProxyPreserveHost On
      ProxyPass /pipe/ http://127.0.0.1:${upstream}/
      ProxyPass / http://127.0.0.1:${upstream}/
      `,
  },
} as const

export type ProxyName = keyof typeof proxies

/** Whether a web server is installed. */
export function hasProxy(name: ProxyName): boolean {
  return existsSync(proxies[name].program)
}

/** Puts a web server in front of a server until the test ends. Resolves once it listens. */
export async function startProxy(name: ProxyName, port: number, upstream: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-proxy-'))
  const config = join(folder, 'config')
  const { program, args, config: configOf } = proxies[name]
  await writeFile(config, configOf(folder, port, upstream))
  const child = spawn(program, args(config), { stdio: 'ignore', detached: true })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    // Its end would wait for streams whose clients are gone.
    if (child.pid !== undefined) killGroup(child.pid)
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  while (!(await listens(port))) if (child.exitCode !== null) throw new Error(`${name} did not start`)
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
