const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** Time in ms that a frame of the spinner stays. */
const frameMs = 160

/** Returns the frame of the spinner at a monotonic time. */
export function spinnerAt(now: number): string {
  return frames[Math.floor(Math.max(0, now) / frameMs) % frames.length] ?? '⠋'
}
