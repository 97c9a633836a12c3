/** The names of the parts that the manifest promises to every element, sorted, element by element. */
export async function promisedParts(): Promise<string[][]> {
  const { modules } = await (await fetch('/dist/custom-elements.json')).json()
  const elements: { cssParts: { name: string }[] }[] = modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter(({ customElement }: { customElement?: true }) => customElement)
  return elements.map(({ cssParts }) => cssParts.map(({ name }) => name).sort())
}

export const partsOf = (drawn: HTMLElement[]): string[] => drawn.flatMap(({ part }) => [...part])
