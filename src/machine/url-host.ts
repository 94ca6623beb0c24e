/** Returns the host of a URL; `undefined` without a valid one. */
export function hostIn(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined
}
