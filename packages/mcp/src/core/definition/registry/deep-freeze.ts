/** Freezes a value recursively. Iterative, because the caller controls the depth of the arguments. */
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
