// Edits texts with goccy/go-yaml, comments kept: JSON in, JSON out.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

type operation struct {
	Op, Path, From string
	Value          any
}

type edit struct {
	Text      string
	Document  int
	Operation operation
}

func main() {
	var edits []edit
	if err := json.NewDecoder(os.Stdin).Decode(&edits); err != nil {
		panic(err)
	}
	texts := make([]*string, len(edits))
	for at, each := range edits {
		texts[at] = attempt(each)
	}
	json.NewEncoder(os.Stdout).Encode(texts)
}

func attempt(each edit) (text *string) {
	defer func() {
		if recover() != nil {
			text = nil
		}
	}()
	file, err := parser.ParseBytes([]byte(each.Text), parser.ParseComments)
	if err != nil {
		return nil
	}
	apply(file.Docs[each.Document].Body, each.Operation)
	printed := file.String()
	if !strings.HasSuffix(printed, "\n") {
		printed += "\n"
	}
	return &printed
}

func apply(root ast.Node, op operation) {
	tokens := strings.Split(op.Path, "/")[1:]
	holder, last := at(root, tokens[:len(tokens)-1]), tokens[len(tokens)-1]
	switch op.Op {
	case "remove":
		remove(holder, last)
	case "move":
		from := strings.Split(op.From, "/")[1:]
		insert(at(root, from[:len(from)-1]), last, remove(holder, from[len(from)-1]))
	case "add":
		insertValue(holder, last, op.Value)
	default:
		replace(holder, last, op.Value)
	}
}

func at(node ast.Node, tokens []string) ast.Node {
	for _, token := range tokens {
		if sequence, ok := node.(*ast.SequenceNode); ok {
			node = sequence.Values[number(token)]
		} else {
			node = member(node, token).Value
		}
	}
	return node
}

func members(node ast.Node) []*ast.MappingValueNode {
	if only, ok := node.(*ast.MappingValueNode); ok {
		return []*ast.MappingValueNode{only}
	}
	return node.(*ast.MappingNode).Values
}

func member(node ast.Node, name string) *ast.MappingValueNode {
	for _, each := range members(node) {
		if each.Key.GetToken().Value == name {
			return each
		}
	}
	panic("no " + name)
}

func number(token string) int {
	index, err := strconv.Atoi(token)
	if err != nil {
		panic(err)
	}
	return index
}

func nodeOf(value any, flow bool) ast.Node {
	node, err := yaml.ValueToNode(value, yaml.Flow(flow), yaml.IndentSequence(true), yaml.UseLiteralStyleIfMultiline(true))
	if err != nil {
		panic(err)
	}
	return node
}

func replace(holder ast.Node, last string, value any) {
	if sequence, ok := holder.(*ast.SequenceNode); ok {
		index := number(last)
		if err := sequence.Replace(index, nodeOf(value, sequence.IsFlowStyle)); err != nil {
			panic(err)
		}
		return
	}
	pair := member(holder, last)
	comment := pair.Value.GetComment()
	if err := pair.Replace(nodeOf(value, false)); err != nil {
		panic(err)
	}
	if comment != nil {
		pair.Value.SetComment(comment)
	}
}

func remove(holder ast.Node, last string) ast.Node {
	switch node := holder.(type) {
	case *ast.SequenceNode:
		index := number(last)
		gone := node.Values[index]
		node.Values = append(node.Values[:index:index], node.Values[index+1:]...)
		if len(node.ValueHeadComments) > index {
			node.ValueHeadComments = append(node.ValueHeadComments[:index:index], node.ValueHeadComments[index+1:]...)
		}
		return gone
	case *ast.MappingNode:
		for index, each := range node.Values {
			if each.Key.GetToken().Value == last {
				node.Values = append(node.Values[:index:index], node.Values[index+1:]...)
				return each
			}
		}
	}
	panic(fmt.Sprintf("can't remove %s", last))
}

func insert(holder ast.Node, last string, value ast.Node) {
	node := holder.(*ast.SequenceNode)
	index := len(node.Values)
	if last != "-" {
		index = number(last)
	}
	node.Values = append(node.Values[:index:index], append([]ast.Node{value}, node.Values[index:]...)...)
	if len(node.ValueHeadComments) > 0 {
		node.ValueHeadComments = append(node.ValueHeadComments[:index:index], append([]*ast.CommentGroupNode{nil}, node.ValueHeadComments[index:]...)...)
	}
}

func insertValue(holder ast.Node, last string, value any) {
	if sequence, ok := holder.(*ast.SequenceNode); ok {
		added := nodeOf([]any{value}, sequence.IsFlowStyle).(*ast.SequenceNode)
		added.AddColumn(sequence.Start.Position.Column - added.Start.Position.Column)
		insert(sequence, last, added.Values[0])
		return
	}
	mapping, ok := holder.(*ast.MappingNode)
	if !ok {
		panic("a mapping of one member")
	}
	added := nodeOf(map[string]any{last: value}, mapping.IsFlowStyle)
	pairs := members(added)
	first := mapping.Values[0].Key.GetToken().Position.Column
	pairs[0].AddColumn(first - pairs[0].Key.GetToken().Position.Column)
	mapping.Values = append(mapping.Values, pairs...)
}
