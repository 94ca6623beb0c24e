/** Files that login shells and command-line programs read in a home. */
const homeFiles = (
  '.gitconfig .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zprofile .zshenv .zlogin .zlogout .cshrc ' +
  '.tcshrc .profile .inputrc .ripgreprc .netrc .curlrc .wgetrc'
).split(' ')

/** Names that decide what programs run. pipe asks before each write to them, wherever they are. */
export const protectedNames = {
  /** Folders whose contents are run or decide what runs. A sandbox keeps them in each working folder, even if missing. */
  folders: '.git .pipe .vscode .idea .husky .githooks .devcontainer .claude'.split(' '),
  /** 8.3 names of such folders. No sandbox runs on a file system that has them. */
  shortFolders: ['git~1'],
  /** Files that tell a shell, git, an editor or a package manager what to run. A sandbox keeps them as it keeps the folders. */
  files: [
    ...homeFiles,
    ...'.gitmodules .exrc .mcp.json .envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pre-commit-config.yaml .lefthook.yml'.split(
      ' ',
    ),
  ],
  /** The files that matter only in a home, so that a sandbox need not block them elsewhere. */
  homeFiles,
  /** Folders of a home with logins and with what its owner runs. Only a sandbox keeps them as a whole. */
  homeFolders: ['.ssh', '.gnupg', '.config', '.local/bin'],
  /** Names that other programs use, mostly in a home. A sandbox needs no placeholders for them. */
  otherFolders: '.ssh .gnupg .codex .cursor .gemini .opencode .hg .jj .sl .zed .mise'.split(' '),
  otherFiles: (
    '.vimrc .nvimrc .nvim.lua .devcontainer.json mise.toml .mise.toml mise.local.toml .mise.local.toml mise/config.toml ' +
    '.gdbinit .lldbinit .tmux.conf .pypirc bunfig.toml .bunfig.toml .cargo/config .cargo/config.toml .config/git/config ' +
    '.lefthook.yaml .lefthook-local.yml .lefthook-local.yaml lefthook.yml lefthook.yaml lefthook-local.yml lefthook-local.yaml'
  ).split(' '),
  /** Paths in any folder whose contents a package manager runs. */
  otherPaths: ['.yarn/releases', '.yarn/plugins'],
} as const satisfies Readonly<Record<string, readonly string[]>>
