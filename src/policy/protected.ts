/** Folders of which the content is run, or says what is run. */
const folders = new Set(['.git', 'git~1', '.pipe', '.vscode', '.idea', '.husky', '.githooks'])

/** Files that a shell, git, an editor or a package manager reads for what to run. */
const files = new Set(
  (
    '.gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zprofile .zshenv .zlogin ' +
    '.zlogout .profile .inputrc .ripgreprc .mcp.json .envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pre-commit-config.yaml ' +
    '.lefthook.yml .netrc .curlrc .wgetrc'
  ).split(' '),
)

/** All of these names; in a folder they stand for what is there, and for what might come to be. */
export const protectedNames: readonly string[] = [...folders, ...files]

/**
 * Whether writing to this path changes what runs later, without anybody asking for it: by its names alone, so also where nothing
 * is there yet. Names are compared as the most forgiving file system does.
 */
export function isProtected(path: string): boolean {
  const names = path
    .toLowerCase()
    .split('/')
    .map((name) => name.replace(/::?\$.*$|[\s.]+$/g, '') || name)
  return names.some((name) => folders.has(name)) || files.has(names.at(-1) ?? '')
}
