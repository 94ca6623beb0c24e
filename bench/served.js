import { spawn } from 'node:child_process'
import { program } from './process.js'

/** Starts `pipe serve`. Its owner ends `child`. */
export async function startServer({ home, env }) {
  const child = spawn(process.execPath, [program, 'serve', '--json', '-m', 'bench/m'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const line = await new Promise((resolve) => child.stdout.once('data', resolve))
  return { child, ...JSON.parse(line) }
}

/** Sends a request to it: a POST if there is a body. */
export function request({ url, token }, path, body) {
  return fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
