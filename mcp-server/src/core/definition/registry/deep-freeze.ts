/** Freezes a value and all in it. No recursion: the depth of arguments is their caller's choice. */
export function deepFreeze<Value extends object>(value: Value): Value {
  const left: object[] = [value];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    Object.freeze(part);
    for (const inner of Object.values(part) as unknown[]) {
      if (typeof inner === 'object' && inner !== null && !Object.isFrozen(inner)) left.push(inner);
    }
  }
  return value;
}
