import { findDirectories } from '../../../config/directories.ts'
import { expandServer } from '../../../config/mcp/find-servers.ts'
import { PipeError } from '../../../error.ts'
import { listenForRedirect, redirectPath } from '../../../http/redirect-listener.ts'
import type { RemoteToolServer } from '../../../machine/tool-server.ts'
import { beginSignIn } from '../../../mcp/auth/begin-sign-in.ts'
import { logOut } from '../../../mcp/auth/log-out.ts'
import { hasOwnAuthorization, type SignInContext } from '../../../mcp/auth/sign-in.ts'
import { harmlessText } from '../../../terminal/harmless-text.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { lockHolder } from '../../machine.ts'
import { createRandomBytes } from '../../random.ts'
import type { RunContext } from '../../run-context.ts'
import { openTransport } from '../../wiring/model/open-network.ts'
import { openSignIns } from '../../wiring/tools/sign-in-file.ts'
import { openBrowser } from './open-browser.ts'
import { awaitRedirect } from './redirect-answer.ts'
import { namesakes, readServersHere, requireServer } from './servers-here.ts'

/** Signs in to a server. Throws `auth`, `input` if it asks for no sign-in, `untrusted` for one that is not approved. */
export async function login(name: string, context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  await withServer(name, context, async (server, parts) => {
    const { callbackPort } = server.oauth ?? {}
    const listener = await listenForRedirect(callbackPort ?? 0)
    try {
      // Clients that are registered with a fixed port name it so; a free port is of an address, as RFC 8252 advises.
      const at = callbackPort === undefined ? '127.0.0.1' : 'localhost'
      const { address, issuer, isAnswer, finish } = await beginSignIn({
        ...parts,
        redirectUri: `http://${at}:${listener.port}${redirectPath}`,
        state: Buffer.from(createRandomBytes()(32)).toString('base64url'),
      })
      host.stdout.write(`Sign in to ${visibleLine(name)} here:\n\n${printable(address)}\n\n`)
      const isOpen = !flags.has('no-browser') && (await openBrowser(address, host, signal))
      if (isOpen) host.stderr.write('The page is opening in your browser.\n')
      await finish(await awaitRedirect(listener, isAnswer, context))
      host.stdout.write(`signed in: ${visibleLine(name)} at ${visibleLine(issuer)}\n`)
    } finally {
      await listener.close()
    }
  })
}

/** Forgets a sign-in, and revokes it where the authorization server can. */
export async function logout(name: string, context: RunContext): Promise<void> {
  const { host } = context
  await withServer(name, context, async (_, parts) => {
    const end = await logOut(parts)
    if (end === 'none') printWarning(host, `you are not signed in to ${visibleLine(name)}`)
    else
      host.stdout.write(
        `signed out: ${visibleLine(name)}${end === 'revoked' ? '' : ', whose tokens cannot be revoked'}\n`,
      )
  })
}

async function withServer(
  name: string,
  context: RunContext,
  work: (server: RemoteToolServer, parts: SignInContext) => Promise<void>,
): Promise<void> {
  const { host, signal } = context
  const found = await readServersHere(context)
  const one = requireServer(name, found)
  if (!found.isApproved(one))
    throw new PipeError('untrusted', `${name} is not approved, so nothing is sent to it: run pipe trust`)
  if (one.agent === undefined)
    for (const other of namesakes(one, found))
      printWarning(host, `this is not the server in the agent's own file: that one is ${visibleLine(other)}`)
  const expanded = expandServer(one, { env: host.env, folder: host.cwd })
  if (expanded.type === 'refused') throw new PipeError('config', `${one.path}: ${name}: ${expanded.reason}`)
  const server = expanded.value.access
  if (server.type !== 'http')
    throw new PipeError('input', `${name} runs on this machine: only servers with a URL have a sign-in`)
  if (hasOwnAuthorization(server))
    throw new PipeError('input', `${name} has an Authorization header in ${one.path}, which says who you are`)
  const transport = openTransport(host, found.settings)
  const store = openSignIns(findDirectories(host.env, host.home), lockHolder(host, signal))
  try {
    await work(server, { name, server, store, transport, clock: host.clock, clean: harmlessText })
  } finally {
    transport.close()
  }
}
