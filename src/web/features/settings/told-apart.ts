const ID_END_CHARACTERS = 6;

/** Their names; where two have the same one, with the end of their ids, which their pages' addresses show. */
export function toldApart(all: readonly { id: string; name: string }[]): { value: string; label: string }[] {
  return all.map(({ id, name }) => {
    const isAlone = all.every((other) => other.id === id || other.name !== name);
    return { value: id, label: isAlone ? name : `${name} (…${id.slice(-ID_END_CHARACTERS)})` };
  });
}
