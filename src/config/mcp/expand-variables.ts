import { ok, type Result, refused } from '../../machine/result.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Replaces `${NAME}` and `${NAME:-default}` by variables. Refuses with the name of a variable that is not set and has no default. */
export function expandVariables(text: string, env: Environment): Result<string> {
  const missing = new Set<string>()
  const expanded = text.replace(
    /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (_, name: string, usual: string | undefined) => {
      const value = env[name]
      if (value !== undefined && (value !== '' || usual === undefined)) return value
      if (usual === undefined) missing.add(name)
      return usual ?? ''
    },
  )
  return missing.size === 0 ? ok(expanded) : refused(`the variable ${[...missing].join(', ')} is not set`)
}
