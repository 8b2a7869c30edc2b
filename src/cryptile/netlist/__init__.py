"""Gate-level netlists of the RTL: made by Yosys, read into plain lists of gates and flip-flops."""
