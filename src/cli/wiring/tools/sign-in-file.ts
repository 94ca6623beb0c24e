import type { Directories } from '../../../config/directories.ts'
import { signInPath } from '../../../config/mcp/sign-in-path.ts'
import { readPrivateFile, writePrivateFile } from '../../../config/private-file.ts'
import { PipeError } from '../../../error.ts'
import type { PatientLockOptions } from '../../../files/lock/lock.ts'
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../../../json-value.ts'
import type { KnownServer, SignIn, SignInStore, Tokens } from '../../../mcp/auth/sign-in.ts'
import { omitUndefined } from '../../../omit-undefined.ts'

/** Time in ms to wait for another process, which may be renewing its tokens. */
const waitMs = 60_000

/** Opens the sign-ins of the user, one file for all servers. Reads nothing yet. `onNeed` hears of each server that waits for a sign-in. */
export function openSignIns(
  { config }: Pick<Directories, 'config'>,
  holder: PatientLockOptions,
  onNeed: (server: string) => void = () => undefined,
): SignInStore {
  const path = signInPath(config)
  const readAll = async () => readServers((await readPrivateFile(path)).fields, path)
  return {
    read: async (server) => (await readAll()).get(server) ?? {},
    async change(server, change) {
      let changed: KnownServer = {}
      const compose = async (): Promise<JsonObject> => {
        const all = await readAll()
        changed = await change(all.get(server) ?? {})
        all.delete(server)
        if (changed.signIn !== undefined || changed.needs !== undefined) all.set(server, changed)
        return { servers: Object.fromEntries([...all].map(([url, one]) => [url, encodeServer(one)])) }
      }
      await writePrivateFile(path, compose, { ...holder, waitMs })
      if (changed.needs !== undefined) onNeed(server)
      return changed
    },
  }
}

/** Lists the tokens and secrets in the file, which no log may hold. */
export async function storedTokens({ config }: Pick<Directories, 'config'>): Promise<readonly string[]> {
  const path = signInPath(config)
  const servers = readServers((await readPrivateFile(path)).fields, path)
  return [...servers.values()].flatMap(({ signIn }) =>
    [signIn?.tokens.access, signIn?.tokens.refresh, signIn?.client.secret].filter((one) => one !== undefined),
  )
}

function readServers(fields: JsonObject | undefined, path: string): Map<string, KnownServer> {
  if (fields === undefined) return new Map()
  const { servers } = fields
  if (isJsonObject(servers))
    return new Map(Object.entries(servers).map(([url, value]) => [url, readServer(value)]))
  throw new PipeError('config', `${path} is damaged: delete it, and sign in again with pipe mcp login`)
}

/** A broken entry counts as none: a new sign-in replaces it. */
function readServer(value: JsonValue): KnownServer {
  if (!isJsonObject(value)) return {}
  const { needs_sign_in: needs } = value
  const scope = textField(needs, 'scope')
  return omitUndefined({
    signIn: readSignIn(value),
    needs: isJsonObject(needs) ? omitUndefined({ scope }) : undefined,
  })
}

function readSignIn(value: JsonObject): SignIn | undefined {
  const { client, tokens } = value
  const [issuer, tokenEndpoint] = [textField(value, 'issuer'), textField(value, 'token_endpoint')]
  const [id, read] = [textField(client, 'id'), readTokens(tokens)]
  if (issuer === undefined || tokenEndpoint === undefined || id === undefined || read === undefined)
    return undefined
  const methods = value['auth_methods']
  return {
    issuer,
    tokenEndpoint,
    tokens: read,
    client: {
      id,
      ...omitUndefined({ secret: textField(client, 'secret'), authMethod: textField(client, 'auth_method') }),
    },
    ...omitUndefined({
      resource: textField(value, 'resource'),
      revocationEndpoint: textField(value, 'revocation_endpoint'),
      authMethods: Array.isArray(methods) ? methods.filter((one) => typeof one === 'string') : undefined,
    }),
  }
}

function readTokens(value: JsonValue | undefined): Tokens | undefined {
  const access = textField(value, 'access')
  if (access === undefined || !isJsonObject(value)) return undefined
  const { expires_at: expiresAt } = value
  return {
    access,
    ...omitUndefined({
      refresh: textField(value, 'refresh'),
      scope: textField(value, 'scope'),
      expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
    }),
  }
}

function encodeServer({ signIn, needs }: KnownServer): JsonObject {
  return {
    ...(needs !== undefined && { needs_sign_in: omitUndefined({ scope: needs.scope }) }),
    ...(signIn !== undefined && encodeSignIn(signIn)),
  }
}

function encodeSignIn(signIn: SignIn): JsonObject {
  const { issuer, tokenEndpoint, revocationEndpoint, authMethods, resource, client, tokens } = signIn
  const { id, secret, authMethod } = client
  const { access, refresh, expiresAt, scope } = tokens
  return {
    issuer,
    token_endpoint: tokenEndpoint,
    ...omitUndefined({ revocation_endpoint: revocationEndpoint, resource }),
    ...(authMethods !== undefined && { auth_methods: [...authMethods] }),
    client: { id, ...omitUndefined({ secret, auth_method: authMethod }) },
    tokens: { access, ...omitUndefined({ refresh, expires_at: expiresAt, scope }) },
  }
}
