/** The shells that pipe completes for. */
export const shellNames = ['bash', 'zsh', 'fish'] as const

export type ShellName = (typeof shellNames)[number]
