/** Stands in for the declarations of the installed package. */
export interface Query {
  selectFrom(table: string): Query;
  insertInto(table: string): Query;
  where(column: string, operator: string, value: unknown): Query;
  values(row: object): Query;
  execute(): Promise<object[]>;
}
export declare function defineStore(options: object): { store: () => Query };
