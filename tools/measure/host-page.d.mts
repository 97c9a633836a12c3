/** Bundles a page as hosts do, with Vite; returns its HTML as a function of the origin that serves it. */
export function buildHostPage(options: {
  body: (origin: string) => string
  script: string
  dist: string
  folder: string
  base: string
}): Promise<(origin: string) => string>
