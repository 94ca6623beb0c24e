import { ok, type Result, refused } from '../../machine/result.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Replaces `${NAME}` and `${NAME:-default}` by variables, and `${user_config.KEY}` by what the user has set of a plugin. Refuses with the name of a variable that is not set and has no default. */
export function expandVariables(text: string, env: Environment): Result<string> {
  const missing = new Set<string>()
  const expanded = text.replace(
    /\$\{((?:user_config\.)?[A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (_, name: string, usual: string | undefined) => {
      const value = env[name]
      if (value !== undefined && (value !== '' || usual === undefined)) return value
      if (usual === undefined) missing.add(name)
      return usual ?? ''
    },
  )
  if (missing.size === 0) return ok(expanded)
  const names = [...missing].join(', ')
  const isOption = names.includes('user_config.')
  return refused(
    isOption ? `${names} is not set: pipe plugin config NAME sets it` : `the variable ${names} is not set`,
  )
}
