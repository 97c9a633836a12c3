/**
 * Functions of these names, for a page that has them before what does the work is loaded: each call loads it, and resolves to
 * what its own function of that name resolves to. Throws what loading it throws.
 */
export function deferred<Calls extends object, Name extends keyof Calls & string>(
  load: () => Promise<Calls>,
  names: readonly Name[],
): Pick<Calls, Name> {
  const call =
    (name: Name) =>
    async (...input: readonly unknown[]) =>
      ((await load())[name] as AnyCall)(...input)
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Pick<Calls, Name>
}

type AnyCall = (...input: readonly unknown[]) => Promise<unknown>
